// Allows an app to use its own host's storage: the package, timer locks and secrets. The host requires this role on the
// account.

param accountName string

@description('Determines the name of the assignment. It is known before the principal exists, so that what-if can evaluate this module.')
param principalName string
param principalId string

// Storage Blob Data Owner.
var ownerRole = 'b7e6dc6d-f1e8-4753-8033-0f276bb0955b'

resource account 'Microsoft.Storage/storageAccounts@2025-08-01' existing = {
  name: accountName
}

resource assignment 'Microsoft.Authorization/roleAssignments@2022-04-01' = {
  name: guid(account.id, principalName, ownerRole)
  scope: account
  properties: {
    principalId: principalId
    principalType: 'ServicePrincipal'
    roleDefinitionId: subscriptionResourceId('Microsoft.Authorization/roleDefinitions', ownerRole)
  }
}
