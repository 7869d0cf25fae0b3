// The types of parameters that modules share.

@export()
@description('App settings by name: those of docs/operating/settings.md.')
type Settings = {
  *: string
}

@export()
@description('A user-assigned identity. Its client id goes into app settings, its principal id into role assignments.')
type AppIdentity = {
  id: string
  clientId: string
  principalId: string
}

@export()
@description('A role in a part of the database account. Everything here is known before the deployment starts.')
type DatabaseGrant = {
  @description('A name in `principalIds` of the module that assigns the roles.')
  principal: string

  @description('The GUID of the role definition.')
  roleName: string

  @description('Below the account: /dbs/DATABASE or /dbs/DATABASE/colls/CONTAINER.')
  scope: string
}
