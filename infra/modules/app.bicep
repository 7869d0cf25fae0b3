// One app with the storage of its host and the rights of its identity. No other app can write that storage, which holds the code.

param location string
param appName string
param storageAccountName string
param planSize string
param instanceMemoryMB int
param maximumInstances int
param alwaysReadyInstances int

@description('Empty for an app outside any network.')
param subnetId string
param insightsName string
param cosmosAccountName string
param databaseName string
param databaseRoleId string

@description('The settings of docs/operating.md, by name.')
param settings object

var packageContainer = 'packages'

module storage 'storage-account.bicep' = {
  name: '${appName}-storage'
  params: {
    location: location
    accountName: storageAccountName
    containerName: packageContainer
    isZoneRedundant: false
  }
}

module functionApp 'function-app.bicep' = {
  name: '${appName}-app'
  params: {
    location: location
    appName: appName
    storageAccountName: storage.outputs.accountName
    packageContainerUrl: '${storage.outputs.blobEndpoint}${packageContainer}'
    planSize: planSize
    instanceMemoryMB: instanceMemoryMB
    maximumInstances: maximumInstances
    alwaysReadyInstances: alwaysReadyInstances
    subnetId: subnetId
    insightsName: insightsName
    settings: settings
  }
}

module storageAccess 'host-storage-access.bicep' = {
  name: '${appName}-storage-access'
  params: {
    accountName: storage.outputs.accountName
    principalId: functionApp.outputs.principalId
  }
}

module monitoringAccess 'monitoring-access.bicep' = {
  name: '${appName}-monitoring-access'
  params: {
    insightsName: insightsName
    principalId: functionApp.outputs.principalId
  }
}

module databaseAccess 'cosmos-access.bicep' = {
  name: '${appName}-database-access'
  params: {
    accountName: cosmosAccountName
    databaseName: databaseName
    principalId: functionApp.outputs.principalId
    roleId: databaseRoleId
  }
}

output appName string = functionApp.outputs.appName
output hostName string = functionApp.outputs.hostName
output principalId string = functionApp.outputs.principalId
