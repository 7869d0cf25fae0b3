// The types of parameters that modules share.

@export()
@description('App settings, keyed by name (docs/operating/settings.md).')
type Settings = {
  *: string
}

@export()
@description('A user-assigned identity. App settings use its client id, and role assignments use its principal id.')
type AppIdentity = {
  id: string
  clientId: string
  principalId: string
}

@export()
@description('A role on a scope of the database account. All values are known before the deployment starts.')
type DatabaseGrant = {
  @description('A name in `principalIds` of the module that assigns the roles.')
  principal: string

  @description('The GUID of the role definition.')
  roleName: string

  @description('The scope within the account: /dbs/DATABASE or /dbs/DATABASE/colls/CONTAINER.')
  scope: string
}
