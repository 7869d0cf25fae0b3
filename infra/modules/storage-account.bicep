// A storage account with one blob container, for identities alone: no keys, no anonymous access.

param location string

@maxLength(24)
param accountName string
param containerName string
param isZoneRedundant bool

@description('Programs in pages of any host may read blobs, by addresses that are signed for them.')
param isReadByBrowsers bool = false

var corsRules = [
  {
    allowedOrigins: ['*']
    allowedMethods: ['GET', 'HEAD', 'OPTIONS']
    allowedHeaders: ['*']
    exposedHeaders: ['Accept-Ranges', 'Content-Length', 'Content-Range', 'ETag', 'x-ms-meta-sha256']
    maxAgeInSeconds: 86400
  }
]

resource account 'Microsoft.Storage/storageAccounts@2025-08-01' = {
  name: accountName
  location: location
  kind: 'StorageV2'
  sku: {
    name: isZoneRedundant ? 'Standard_ZRS' : 'Standard_LRS'
  }
  properties: {
    allowSharedKeyAccess: false
    allowBlobPublicAccess: false
    defaultToOAuthAuthentication: true
    minimumTlsVersion: 'TLS1_2'
    supportsHttpsTrafficOnly: true
  }
}

resource blobs 'Microsoft.Storage/storageAccounts/blobServices@2025-08-01' = {
  parent: account
  name: 'default'
  properties: {
    cors: {
      corsRules: isReadByBrowsers ? corsRules : []
    }
    deleteRetentionPolicy: {
      enabled: true
      days: 7
    }
  }
}

resource container 'Microsoft.Storage/storageAccounts/blobServices/containers@2025-08-01' = {
  parent: blobs
  name: containerName
}

output blobEndpoint string = account.properties.primaryEndpoints.blob
