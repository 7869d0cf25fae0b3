// Assigns roles in the database account, one at a time: the account refuses a second assignment while one is in
// progress (412, "operation in progress which requires an exclusive lock").

import { DatabaseGrant } from '../types.bicep'

param accountName string

@description('Uses names of principals instead of their ids, so that what-if knows the names of the assignments in advance.')
param grants DatabaseGrant[]

@description('Object ids, keyed by the names that the grants use.')
param principalIds {
  *: string
}

resource account 'Microsoft.DocumentDB/databaseAccounts@2025-10-15' existing = {
  name: accountName
}

@batchSize(1)
resource assignments 'Microsoft.DocumentDB/databaseAccounts/sqlRoleAssignments@2025-10-15' = [
  for grant in grants: {
    parent: account
    name: guid(account.id, grant.scope, grant.principal, grant.roleName)
    properties: {
      principalId: principalIds[grant.principal]
      roleDefinitionId: '${account.id}/sqlRoleDefinitions/${grant.roleName}'
      scope: '${account.id}${grant.scope}'
    }
  }
]
