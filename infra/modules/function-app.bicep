// A function app on its own plan: either Flex Consumption, which holds one app, or a plan whose instance always runs
// and has more temporary storage.

import { AppIdentity, Settings } from '../types.bicep'

param location string
param appName string
param storageAccountName string
param packageContainerUrl string

@description('FC1 is Flex Consumption. The memory and instance counts below apply only to FC1.')
@allowed(['FC1', 'B2', 'P1v3', 'P2v3'])
param planSize string

@allowed([2048, 4096])
param instanceMemoryMB int
param maximumInstances int
param alwaysReadyInstances int

@description('Spreads the instances of Flex Consumption over zones. The platform then keeps at least two instances always ready.')
param isZoneRedundant bool
param subnetId string
param insightsName string
param identity AppIdentity
param settings Settings

var platformSettings = {
  AzureWebJobsStorage__accountName: storageAccountName
  AzureWebJobsStorage__credential: 'managedidentity'
  AzureWebJobsStorage__clientId: identity.clientId
  AzureWebJobsDisableHomepage: 'true'
  APPLICATIONINSIGHTS_CONNECTION_STRING: insights.properties.ConnectionString
  APPLICATIONINSIGHTS_AUTHENTICATION_STRING: 'Authorization=AAD;ClientId=${identity.clientId}'
  // The SDK then tries only the credential that works here: the identity of this app.
  AZURE_TOKEN_CREDENTIALS: 'ManagedIdentityCredential'
  AZURE_CLIENT_ID: identity.clientId
  // An invalid setting then stops the start. Otherwise, the app would start without functions.
  FUNCTIONS_NODE_BLOCK_ON_ENTRY_POINT_ERROR: 'true'
}

var isFlex = planSize == 'FC1'

// On Flex Consumption, functionAppConfig contains these settings.
var instanceSettings = {
  FUNCTIONS_EXTENSION_VERSION: '~4'
  FUNCTIONS_WORKER_RUNTIME: 'node'
  WEBSITE_RUN_FROM_PACKAGE: '1'
}

resource insights 'Microsoft.Insights/components@2020-02-02' existing = {
  name: insightsName
}

resource plan 'Microsoft.Web/serverfarms@2025-03-01' = {
  name: '${appName}-plan'
  location: location
  kind: isFlex ? 'functionapp' : 'linux'
  sku: isFlex
    ? {
        name: planSize
        tier: 'FlexConsumption'
      }
    : {
        name: planSize
        capacity: 1
      }
  properties: {
    reserved: true
    zoneRedundant: isFlex && isZoneRedundant
  }
}

resource app 'Microsoft.Web/sites@2025-03-01' = {
  name: appName
  location: location
  kind: 'functionapp,linux'
  identity: {
    type: 'UserAssigned'
    userAssignedIdentities: {
      '${identity.id}': {}
    }
  }
  properties: {
    serverFarmId: plan.id
    httpsOnly: true
    virtualNetworkSubnetId: empty(subnetId) ? null : subnetId
    siteConfig: isFlex
      ? {
          minTlsVersion: '1.2'
        }
      : {
          minTlsVersion: '1.2'
          linuxFxVersion: 'NODE|24'
          // Timers do not fire in an app that is unloaded.
          alwaysOn: true
        }
    functionAppConfig: isFlex
      ? {
          runtime: {
            name: 'node'
            version: '24'
          }
          deployment: {
            storage: {
              type: 'blobContainer'
              value: packageContainerUrl
              authentication: {
                type: 'UserAssignedIdentity'
                userAssignedIdentityResourceId: identity.id
              }
            }
          }
          scaleAndConcurrency: {
            instanceMemoryMB: instanceMemoryMB
            maximumInstanceCount: maximumInstances
            alwaysReady: alwaysReadyInstances == 0
              ? []
              : [
                  {
                    name: 'http'
                    instanceCount: alwaysReadyInstances
                  }
                ]
            triggers: {
              http: {
                // A page can take 30 MB while it is built and sent.
                perInstanceConcurrency: 16
              }
            }
          }
        }
      : null
  }
}

resource appSettings 'Microsoft.Web/sites/config@2025-03-01' = {
  parent: app
  name: 'appsettings'
  properties: union(platformSettings, isFlex ? {} : instanceSettings, settings)
}

// Code can be published only through Entra ID.
resource scmPublishing 'Microsoft.Web/sites/basicPublishingCredentialsPolicies@2025-03-01' = {
  parent: app
  name: 'scm'
  properties: {
    allow: false
  }
}

resource ftpPublishing 'Microsoft.Web/sites/basicPublishingCredentialsPolicies@2025-03-01' = {
  parent: app
  name: 'ftp'
  properties: {
    allow: false
  }
}

output hostName string = app.properties.defaultHostName
