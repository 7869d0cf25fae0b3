// Lets an app ask for keys that sign addresses of blobs. An address opens no more than the app itself may read.

param accountName string

@description('Names the assignment. Known before the principal exists, so that what-if can look into this module.')
param principalName string
param principalId string

// Storage Blob Delegator, which counts for an account and not for a container.
var delegatorRole = 'db58b8e5-c6ad-4a2a-8342-4190687cbf4a'

resource account 'Microsoft.Storage/storageAccounts@2025-08-01' existing = {
  name: accountName
}

resource assignment 'Microsoft.Authorization/roleAssignments@2022-04-01' = {
  name: guid(account.id, principalName, delegatorRole)
  scope: account
  properties: {
    principalId: principalId
    principalType: 'ServicePrincipal'
    roleDefinitionId: subscriptionResourceId('Microsoft.Authorization/roleDefinitions', delegatorRole)
  }
}
