// A storage account with one blob container. Access is by Entra identities only: no account keys, no anonymous access.

param location string

@maxLength(24)
param accountName string
param containerName string
param isZoneRedundant bool

@description('Whether web pages of any origin may read blobs through signed URLs (CORS).')
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
