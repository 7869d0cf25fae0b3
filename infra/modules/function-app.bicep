// A function app on a Flex Consumption plan of its own, which is all that such a plan holds.

param location string
param appName string
param storageAccountName string
param packageContainerUrl string

@allowed([2048, 4096])
param instanceMemoryMB int
param maximumInstances int
param alwaysReadyInstances int
param subnetId string
param insightsName string
param settings object

var platformSettings = {
  AzureWebJobsStorage__accountName: storageAccountName
  AzureWebJobsDisableHomepage: 'true'
  APPLICATIONINSIGHTS_CONNECTION_STRING: insights.properties.ConnectionString
  APPLICATIONINSIGHTS_AUTHENTICATION_STRING: 'Authorization=AAD'
  // The SDK then looks for an identity only in the one way that works here.
  AZURE_TOKEN_CREDENTIALS: 'ManagedIdentityCredential'
  // A wrong setting then stops the start, in place of an app without functions.
  FUNCTIONS_NODE_BLOCK_ON_ENTRY_POINT_ERROR: 'true'
}

resource insights 'Microsoft.Insights/components@2020-02-02' existing = {
  name: insightsName
}

resource plan 'Microsoft.Web/serverfarms@2024-04-01' = {
  name: '${appName}-plan'
  location: location
  kind: 'functionapp'
  sku: {
    name: 'FC1'
    tier: 'FlexConsumption'
  }
  properties: {
    reserved: true
  }
}

resource app 'Microsoft.Web/sites@2024-04-01' = {
  name: appName
  location: location
  kind: 'functionapp,linux'
  identity: {
    type: 'SystemAssigned'
  }
  properties: {
    serverFarmId: plan.id
    httpsOnly: true
    virtualNetworkSubnetId: empty(subnetId) ? null : subnetId
    siteConfig: {
      minTlsVersion: '1.2'
    }
    functionAppConfig: {
      runtime: {
        name: 'node'
        version: '24'
      }
      deployment: {
        storage: {
          type: 'blobContainer'
          value: packageContainerUrl
          authentication: {
            type: 'SystemAssignedIdentity'
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
            // A page can take 30 MB while it is made and sent.
            perInstanceConcurrency: 16
          }
        }
      }
    }
  }
}

resource appSettings 'Microsoft.Web/sites/config@2024-04-01' = {
  parent: app
  name: 'appsettings'
  properties: union(platformSettings, settings)
}

// Publishing goes through Entra ID alone.
resource publishing 'Microsoft.Web/sites/basicPublishingCredentialsPolicies@2024-04-01' = [
  for kind in ['scm', 'ftp']: {
    parent: app
    name: kind
    properties: {
      allow: false
    }
  }
]

output appName string = app.name
output hostName string = app.properties.defaultHostName
output principalId string = app.identity.principalId
