// All resources of one environment in one resource group: docs/deploying.md says how to deploy them and what they cost.
// Two apps run one package, because an app has one identity: queries read the data, loaders write it (ADR 0029).

targetScope = 'resourceGroup'

@description('Stands in the names of all resources: small letters and digits.')
@minLength(2)
@maxLength(8)
param environmentName string

param location string = resourceGroup().location

@description('Object id of the user or group that issues keys, loads by hand and reads the inbox.')
param operatorPrincipalId string

@allowed(['User', 'Group'])
param operatorPrincipalType string = 'Group'

@description('Where alerts and mails about the budget go.')
param alertEmail string

@description('US dollars a month, of which mails warn.')
@minValue(1)
param monthlyBudget int

@description('The first day of a month, from which the budget counts.')
param budgetStart string = utcNow('yyyy-MM-01')

@description('The most request units a second that the container scales to by itself; it is billed for at least a tenth.')
@minValue(1000)
param maxThroughput int

@description('For how many days the database can be restored to any moment.')
@allowed([7, 30])
param backupDays int

param isZoneRedundant bool

@description('Apps reach the database through a private endpoint; nobody else does, but for operatorAddresses.')
param isPrivate bool

@description('Public addresses from which operators run commands. Without any, a private database has none, and another one all.')
param operatorAddresses string[] = []

@description('Instances of the query app that wait for requests, so that none meets a cold start.')
@minValue(0)
param alwaysReadyInstances int

@description('Bounds what a flood of requests can cost.')
@minValue(40)
@maxValue(1000)
param maximumInstances int

@description('The plan of the loaders: its temporary storage bounds a submission (docs/deploying.md).')
@allowed(['B2', 'P1v3', 'P2v3'])
param loaderPlanSize string = 'B2'

@description('Where clients reach the service if not at the app itself: stands in front of links.')
param publicUrl string = ''

@description('How submissions go in, in words or as a web address, for the page at /submit.')
param submitInstructions string = ''
@description('Raster tiles that the map of the explorer shows in place of its own ground, a space and their attribution; empty for none.')
param basemapTiles string = ''

@description('The pattern of the ids of sites, units and rights in linked data, with {id} in it. Empty for the addresses of their pages.')
param linkedDataId string = ''

@description('How dates such as 3/4/2010 in queries are read.')
@allowed(['MDY', 'DMY'])
param slashDateOrder string = 'MDY'

var databaseName = 'water'
var inboxContainer = 'inbox'
var exportsContainer = 'exports'
// Storage accounts and databases are named once in the world.
var suffix = take(uniqueString(resourceGroup().id, environmentName), 8)

module monitoring 'modules/monitoring.bicep' = {
  name: 'monitoring'
  params: {
    location: location
    name: 'water-${environmentName}'
  }
}

module network 'modules/network.bicep' = if (isPrivate) {
  name: 'network'
  params: {
    location: location
    name: 'water-${environmentName}'
  }
}

module cosmos 'modules/cosmos.bicep' = {
  name: 'cosmos'
  params: {
    location: location
    accountName: 'water-${environmentName}-${suffix}'
    databaseName: databaseName
    maxThroughput: maxThroughput
    backupDays: backupDays
    isZoneRedundant: isZoneRedundant
    isPrivate: isPrivate
    operatorAddresses: operatorAddresses
  }
}

module cosmosEndpoint 'modules/cosmos-endpoint.bicep' = if (isPrivate) {
  name: 'cosmos-endpoint'
  params: {
    location: location
    accountName: cosmos.outputs.accountName
    networkId: isPrivate ? network!.outputs.networkId : ''
    subnetId: isPrivate ? network!.outputs.endpointSubnetId : ''
  }
}

module inbox 'modules/storage-account.bicep' = {
  name: 'inbox'
  params: {
    location: location
    accountName: 'water${environmentName}in${suffix}'
    containerName: inboxContainer
    isZoneRedundant: isZoneRedundant
  }
}

module exports 'modules/storage-account.bicep' = {
  name: 'exports'
  params: {
    location: location
    accountName: 'water${environmentName}ex${suffix}'
    containerName: exportsContainer
    isZoneRedundant: isZoneRedundant
    isReadByBrowsers: true
  }
}

module queryApp 'modules/app.bicep' = {
  name: 'query-app'
  params: {
    location: location
    appName: 'water-${environmentName}-query-${suffix}'
    storageAccountName: 'water${environmentName}q${suffix}'
    planSize: 'FC1'
    instanceMemoryMB: 2048
    maximumInstances: maximumInstances
    alwaysReadyInstances: alwaysReadyInstances
    subnetId: isPrivate ? network!.outputs.appSubnetId : ''
    insightsName: monitoring.outputs.insightsName
    cosmosAccountName: cosmos.outputs.accountName
    databaseName: databaseName
    databaseRoleId: cosmos.outputs.readerRoleId
    settings: {
      FUNCTIONS_TO_RUN: 'http'
      WATER_STORE: 'cosmos'
      COSMOS_ENDPOINT: cosmos.outputs.endpoint
      COSMOS_DATABASE: databaseName
      EXPORTS_CONTAINER: '${exports.outputs.blobEndpoint}${exportsContainer}'
      PUBLIC_URL: publicUrl
      // The inbox is the loaders' alone, so this app cannot say that there is one.
      SUBMIT_INSTRUCTIONS: submitInstructions
      SLASH_DATE_ORDER: slashDateOrder
      SEARCH_CACHE_MB: '512'
      ANSWER_CACHE_MB: '64'
      REQUEST_DEADLINE_SECONDS: '30'
      MAX_CONCURRENT_REQUESTS: '256'
      KEYLESS_REQUESTS_PER_HOUR: '0'
      // The platform's front end writes the client's address; what came before it is what a client says (D54).
      TRUSTED_PROXIES: '1'
      OPEN_PAGES: 'true'
      PAGES_PER_MINUTE: '600'
      BASEMAP_TILES: basemapTiles
      LINKED_DATA_ID: linkedDataId
      CONTACT: ''
      // Keys by oneself need an identity that may write to the database, and the same settings in the loader app (D56).
      SELF_SERVICE_KEYS: 'off'
      SELF_SERVICE_KEYS_PER_DAY: '1000'
      INSTANT_KEY_LIMITS: '300/300000'
      SMTP_URL: ''
      MAIL_FROM: ''
      EXPORT_LIMIT: '5000000'
      EXPORTS_AT_ONCE: '2'
      REQUESTS_PER_MINUTE: '30000'
      RECORDS_PER_MINUTE: '30000000'
      // Its identity may not write to the database (ADR 0043).
      KEY_USAGE: 'log'
    }
  }
}

module loaderApp 'modules/app.bicep' = {
  name: 'loader-app'
  params: {
    location: location
    appName: 'water-${environmentName}-loader-${suffix}'
    storageAccountName: 'water${environmentName}l${suffix}'
    planSize: loaderPlanSize
    instanceMemoryMB: 4096
    maximumInstances: 40
    alwaysReadyInstances: 0
    subnetId: isPrivate ? network!.outputs.loaderSubnetId : ''
    insightsName: monitoring.outputs.insightsName
    cosmosAccountName: cosmos.outputs.accountName
    databaseName: databaseName
    databaseRoleId: cosmos.outputs.loaderRoleId
    settings: {
      FUNCTIONS_TO_RUN: 'timers'
      WATER_STORE: 'cosmos'
      COSMOS_ENDPOINT: cosmos.outputs.endpoint
      COSMOS_DATABASE: databaseName
      SUBMISSIONS_INBOX: '${inbox.outputs.blobEndpoint}${inboxContainer}'
      EXPORTS_CONTAINER: '${exports.outputs.blobEndpoint}${exportsContainer}'
      // Linked data among the files of releases have these addresses in them (D58).
      PUBLIC_URL: publicUrl
      LINKED_DATA_ID: linkedDataId
      LOADER_SCHEDULE: '0 */5 * * * *'
      LOADER_MINUTES: '30'
      LOADER_QUIET_SECONDS: '10'
      LOADER_MEMORY_MB: 'auto'
      REJECTED_SHARE_LIMIT: '0.1'
      HOLD_SUBMISSIONS: 'true'
      RELEASE_RETENTION_DAYS: '30'
      // The package is mounted read-only; an instance has 15 GB here, or what its plan gives (docs/deploying.md).
      STAGING_DIR: '/tmp/water-staging'
    }
  }
}

module loaderInboxAccess 'modules/blob-access.bicep' = {
  name: 'loader-inbox-access'
  params: {
    accountName: inbox.outputs.accountName
    containerName: inboxContainer
    access: 'write'
    principalId: loaderApp.outputs.principalId
    principalType: 'ServicePrincipal'
  }
}

module operatorInboxAccess 'modules/blob-access.bicep' = {
  name: 'operator-inbox-access'
  params: {
    accountName: inbox.outputs.accountName
    containerName: inboxContainer
    access: 'write'
    principalId: operatorPrincipalId
    principalType: operatorPrincipalType
  }
}

module loaderExportsAccess 'modules/blob-access.bicep' = {
  name: 'loader-exports-access'
  params: {
    accountName: exports.outputs.accountName
    containerName: exportsContainer
    access: 'write'
    principalId: loaderApp.outputs.principalId
    principalType: 'ServicePrincipal'
  }
}

module queryExportsAccess 'modules/blob-access.bicep' = {
  name: 'query-exports-access'
  params: {
    accountName: exports.outputs.accountName
    containerName: exportsContainer
    access: 'read'
    principalId: queryApp.outputs.principalId
    principalType: 'ServicePrincipal'
  }
}

module queryExportsDelegation 'modules/blob-delegation.bicep' = {
  name: 'query-exports-delegation'
  params: {
    accountName: exports.outputs.accountName
    principalId: queryApp.outputs.principalId
  }
}

module operatorExportsAccess 'modules/blob-access.bicep' = {
  name: 'operator-exports-access'
  params: {
    accountName: exports.outputs.accountName
    containerName: exportsContainer
    access: 'write'
    principalId: operatorPrincipalId
    principalType: operatorPrincipalType
  }
}

module operatorDatabaseAccess 'modules/cosmos-access.bicep' = {
  name: 'operator-database-access'
  params: {
    accountName: cosmos.outputs.accountName
    databaseName: databaseName
    principalId: operatorPrincipalId
    roleId: cosmos.outputs.loaderRoleId
  }
}

module alerts 'modules/alerts.bicep' = {
  name: 'alerts'
  params: {
    location: location
    name: 'water-${environmentName}'
    email: alertEmail
    insightsId: monitoring.outputs.insightsId
    cosmosAccountId: cosmos.outputs.accountId
    queryAppName: queryApp.outputs.appName
    loaderAppName: loaderApp.outputs.appName
  }
}

module diagnostics 'modules/diagnostics.bicep' = {
  name: 'diagnostics'
  params: {
    name: 'water-${environmentName}'
    workspaceId: monitoring.outputs.workspaceId
    cosmosAccountName: cosmos.outputs.accountName
    inboxAccountName: inbox.outputs.accountName
    email: alertEmail
    monthlyBudget: monthlyBudget
    budgetStart: budgetStart
  }
}

output queryAppName string = queryApp.outputs.appName
output loaderAppName string = loaderApp.outputs.appName
output serviceUrl string = 'https://${queryApp.outputs.hostName}'
output cosmosEndpoint string = cosmos.outputs.endpoint
output cosmosDatabase string = databaseName
output inboxAccountName string = inbox.outputs.accountName
output inboxContainer string = inboxContainer
output exportsUrl string = '${exports.outputs.blobEndpoint}${exportsContainer}'
