// One app with its host's storage and the roles of its identity. No other app can write to that storage, which contains
// the code. All roles are assigned before the app is created, so they are in effect at its first start.

import { AppIdentity, Settings } from '../types.bicep'

param location string
param appName string
param storageAccountName string
param planSize string
param instanceMemoryMB int
param maximumInstances int
param alwaysReadyInstances int

@description('Spreads the instances of a Flex Consumption plan over availability zones. The other plans here have one instance.')
param isPlanZoneRedundant bool

@description('Makes the host\'s storage account zone-redundant.')
param isStorageZoneRedundant bool

@description('Empty for an app without a virtual network.')
param subnetId string
param insightsName string
param identity AppIdentity
param settings Settings

var packageContainer = 'packages'

module storage 'storage-account.bicep' = {
  params: {
    location: location
    accountName: storageAccountName
    containerName: packageContainer
    isZoneRedundant: isStorageZoneRedundant
  }
}

module storageAccess 'host-storage-access.bicep' = {
  params: {
    accountName: storageAccountName
    principalName: appName
    principalId: identity.principalId
  }
  dependsOn: [
    storage
  ]
}

module monitoringAccess 'monitoring-access.bicep' = {
  params: {
    insightsName: insightsName
    principalName: appName
    principalId: identity.principalId
  }
}

module functionApp 'function-app.bicep' = {
  params: {
    location: location
    appName: appName
    storageAccountName: storageAccountName
    packageContainerUrl: '${storage.outputs.blobEndpoint}${packageContainer}'
    planSize: planSize
    instanceMemoryMB: instanceMemoryMB
    maximumInstances: maximumInstances
    alwaysReadyInstances: alwaysReadyInstances
    isZoneRedundant: isPlanZoneRedundant
    subnetId: subnetId
    insightsName: insightsName
    identity: identity
    settings: settings
  }
  dependsOn: [
    storageAccess
    monitoringAccess
  ]
}

output hostName string = functionApp.outputs.hostName
