// Allows an identity to read the blobs of one container, or to read, write and delete them.

param accountName string
param containerName string

@description('Determines the name of the assignment. It is known before the principal exists, so that what-if can evaluate this module.')
param principalName string
param principalId string

@allowed(['ServicePrincipal', 'User', 'Group'])
param principalType string

@allowed(['read', 'write'])
param access string

// Storage Blob Data Reader and Storage Blob Data Contributor.
var roles = {
  read: '2a2b9908-6ea1-4ae2-8e65-a410df84e7d1'
  write: 'ba92f5b4-2d11-453d-a403-e96b0029c9fe'
}
var role = roles[access]

resource account 'Microsoft.Storage/storageAccounts@2025-08-01' existing = {
  name: accountName
}

resource blobs 'Microsoft.Storage/storageAccounts/blobServices@2025-08-01' existing = {
  parent: account
  name: 'default'
}

resource container 'Microsoft.Storage/storageAccounts/blobServices/containers@2025-08-01' existing = {
  parent: blobs
  name: containerName
}

resource assignment 'Microsoft.Authorization/roleAssignments@2022-04-01' = {
  name: guid(container.id, principalName, role)
  scope: container
  properties: {
    principalId: principalId
    principalType: principalType
    roleDefinitionId: subscriptionResourceId('Microsoft.Authorization/roleDefinitions', role)
  }
}
