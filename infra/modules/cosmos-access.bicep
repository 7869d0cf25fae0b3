// Gives an identity a role in one database.

param accountName string
param databaseName string
param principalId string
param roleId string

resource account 'Microsoft.DocumentDB/databaseAccounts@2024-11-15' existing = {
  name: accountName
}

resource assignment 'Microsoft.DocumentDB/databaseAccounts/sqlRoleAssignments@2024-11-15' = {
  parent: account
  name: guid(account.id, principalId, roleId)
  properties: {
    principalId: principalId
    roleDefinitionId: roleId
    scope: '${account.id}/dbs/${databaseName}'
  }
}
