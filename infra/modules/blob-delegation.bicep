// Allows an app to request keys that sign blob URLs. A signed URL grants no more access than the app itself has.

param accountName string

@description('Determines the name of the assignment. It is known before the principal exists, so that what-if can evaluate this module.')
param principalName string
param principalId string

// Storage Blob Delegator, which is assigned on the account, not on a container.
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
