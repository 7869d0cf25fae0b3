// Lets an app use the storage of its own host: package, locks of timers, secrets. The host asks for this role on the account.

param accountName string

@description('Names the assignment. Known before the principal exists, so that what-if can look into this module.')
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
