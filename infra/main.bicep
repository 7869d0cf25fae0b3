// All resources of one environment, in one resource group. docs/deploying.md describes how to deploy them and what they
// cost. Two apps run the same package, because an app has one identity: queries read the data, loaders write it (ADR
// 0029).

targetScope = 'resourceGroup'

@description('Part of the name of every resource. Lowercase letters and digits.')
@minLength(2)
@maxLength(8)
param environmentName string

param location string = resourceGroup().location

@description('Object id of the user or group that issues keys, loads by hand and reads the inbox.')
param operatorPrincipalId string

@allowed(['User', 'Group'])
param operatorPrincipalType string = 'Group'

@description('The email address for alerts and budget notifications.')
param alertEmail string

@description('US dollars per month. Budget emails are based on this amount.')
@minValue(1)
param monthlyBudget int

@description('The first day of the month in which this environment is first deployed, YYYY-MM-DD. Never change it afterwards: Azure refuses to move the start of a budget, and the deployment fails.')
@minLength(10)
@maxLength(10)
param budgetStart string

@description('The maximum request units per second that the database scales to. At least a tenth of it is billed.')
@minValue(1000)
param maxThroughput int

@description('Number of days for which the database can be restored to any point in time.')
@allowed([7, 30])
param backupDays int

@description('Spreads the database, all storage accounts and the instances of the query app over three zones. Does not apply to the loader app: it has one instance, and loads wait while its zone is down.')
param isZoneRedundant bool

@description('Makes the database reachable only through a private endpoint for the apps, and from operatorAddresses.')
param isPrivate bool

@description('Public IP addresses from which operators can reach a private database. Ignored if isPrivate is false: the database then accepts every address, but requires an Entra identity.')
param operatorAddresses string[] = []

@description('Number of always-ready instances of the query app, which avoid cold starts. With isZoneRedundant, the platform keeps and bills at least two.')
@minValue(0)
param alwaysReadyInstances int

@description('Maximum number of instances of the query app. Limits the cost of a flood of requests.')
@minValue(40)
@maxValue(1000)
param maximumInstances int

@description('The plan of the loader app. Its temporary storage limits the size of a submission (docs/deploying.md).')
@allowed(['B2', 'P1v3', 'P2v3'])
param loaderPlanSize string = 'B2'

@description('The URL at which clients reach the service, if it is not the app\'s own. Links in responses start with it.')
param publicUrl string = ''

@description('Tells submitters on the page at /submit how to submit data: a text or a URL.')
param submitInstructions string = ''

@description('Submissions over HTTP: off, check (dry runs that store nothing), or submit (checks and submissions; the query app may then write to the inbox).')
@allowed(['off', 'check', 'submit'])
param submissionsHttp string = 'check'

@description('The maximum body size of a check, in MB. A check unpacks up to ten times that into the temporary storage of the instance, which is 0.8 GB.')
@minValue(1)
param checkMB int = 50

@description('The maximum body size of a submission, in MB.')
@minValue(1)
param submitMB int = 500

@description('Raster tiles that replace the explorer\'s own base map: the URL template, a space and the attribution. Empty for none.')
param basemapTiles string = ''

@description('The pattern for ids of sites, units and rights in linked data, which contains {id}. If empty, the ids are the URLs of their pages.')
param linkedDataId string = ''

@description('instant: people can create their own keys. The query app may then write to the container catalog, where it counts the use of keys.')
@allowed(['off', 'instant'])
param selfServiceKeys string = 'off'

@description('How dates such as 3/4/2010 in queries are read.')
@allowed(['MDY', 'DMY'])
param slashDateOrder string = 'MDY'

var databaseName = 'water'
var inboxContainer = 'inbox'
var exportsContainer = 'exports'

// Every name is computed here, once. Modules take names instead of outputs of other modules, because what-if can
// evaluate a module only if its resource names are known before the deployment starts. Names of storage accounts,
// databases and apps are globally unique.
var suffix = take(uniqueString(resourceGroup().id, environmentName), 8)
var baseName = 'water-${environmentName}'
var insightsName = '${baseName}-insights'
var cosmosAccountName = '${baseName}-${suffix}'
var inboxAccountName = 'water${environmentName}in${suffix}'
var exportsAccountName = 'water${environmentName}ex${suffix}'
var queryAppName = '${baseName}-query-${suffix}'
var loaderAppName = '${baseName}-loader-${suffix}'

var cosmosEndpointUrl = 'https://${cosmosAccountName}.documents.azure.com:443/'
var inboxUrl = 'https://${inboxAccountName}.blob.${environment().suffixes.storage}/${inboxContainer}'
var exportsUrl = 'https://${exportsAccountName}.blob.${environment().suffixes.storage}/${exportsContainer}'

// The identities are created before everything that assigns a role to them: assigning a role to a new identity
// sometimes fails with "principal ID was not found". Creating the database takes minutes, which is long enough.
resource queryIdentity 'Microsoft.ManagedIdentity/userAssignedIdentities@2024-11-30' = {
  name: '${baseName}-query'
  location: location
}

resource loaderIdentity 'Microsoft.ManagedIdentity/userAssignedIdentities@2024-11-30' = {
  name: '${baseName}-loader'
  location: location
}

module monitoring 'modules/monitoring.bicep' = {
  params: {
    location: location
    name: baseName
    insightsName: insightsName
  }
}

module network 'modules/network.bicep' = if (isPrivate) {
  params: {
    location: location
    name: baseName
  }
}

// Cosmos DB Built-in Data Reader: metadata, items, queries, and the change feed.
var readerRoleName = '00000000-0000-0000-0000-000000000001'
var writerRoleName = guid(resourceGroup().id, cosmosAccountName, 'writer')

module cosmos 'modules/cosmos.bicep' = {
  params: {
    location: location
    accountName: cosmosAccountName
    databaseName: databaseName
    maxThroughput: maxThroughput
    backupDays: backupDays
    isZoneRedundant: isZoneRedundant
    isPrivate: isPrivate
    operatorAddresses: operatorAddresses
    writerRoleName: writerRoleName
  }
  dependsOn: [
    queryIdentity
    loaderIdentity
  ]
}

module cosmosEndpoint 'modules/cosmos-endpoint.bicep' = if (isPrivate) {
  params: {
    location: location
    accountName: cosmosAccountName
    networkId: isPrivate ? network!.outputs.networkId : ''
    subnetId: isPrivate ? network!.outputs.endpointSubnetId : ''
  }
  dependsOn: [
    cosmos
  ]
}

// The query app reads every container. It writes only to catalog, and only if people can create their own keys.
var databaseGrants = [
  {
    principal: 'query app'
    roleName: selfServiceKeys == 'off' ? readerRoleName : writerRoleName
    scope: '/dbs/${databaseName}/colls/catalog'
  }
  {
    principal: 'query app'
    roleName: readerRoleName
    scope: '/dbs/${databaseName}/colls/data'
  }
  {
    principal: 'query app'
    roleName: readerRoleName
    scope: '/dbs/${databaseName}/colls/index'
  }
  {
    principal: 'loader app'
    roleName: writerRoleName
    scope: '/dbs/${databaseName}'
  }
  {
    principal: 'operator'
    roleName: writerRoleName
    scope: '/dbs/${databaseName}'
  }
]

module databaseAccess 'modules/cosmos-access.bicep' = {
  params: {
    accountName: cosmosAccountName
    grants: databaseGrants
    principalIds: {
      'query app': queryIdentity.properties.principalId
      'loader app': loaderIdentity.properties.principalId
      operator: operatorPrincipalId
    }
  }
  dependsOn: [
    cosmos
  ]
}

module inbox 'modules/storage-account.bicep' = {
  params: {
    location: location
    accountName: inboxAccountName
    containerName: inboxContainer
    isZoneRedundant: isZoneRedundant
  }
}

module exports 'modules/storage-account.bicep' = {
  params: {
    location: location
    accountName: exportsAccountName
    containerName: exportsContainer
    isZoneRedundant: isZoneRedundant
    isReadByBrowsers: true
  }
}

// Memory of an instance of the query app, which has 2,048 MB, or 4,096 MB if submissions are checked:
//   the Functions host and the platform's agents   450   assumed, not measured
//   our program and its heap                       150   measured locally: 100 (docs/operating/memory-and-disk.md)
//   SEARCH_CACHE_MB                                320
//   ANSWER_CACHE_MB                                 64
//   MAX_IN_FLIGHT_MB                               384   reserved before an answer is built; answers 503 above it
//   EXPORTS_AT_ONCE: 2 threads of 120              240   measured locally: 90 to 115 (docs/operating/memory-and-disk.md)
//   together                                     1,608
//   two checks at once, LOADER_MEMORY_MB each    1,536   only if submissions are checked
//   together                                     3,144
// The rest is for garbage that has not been collected yet.
module queryApp 'modules/app.bicep' = {
  params: {
    location: location
    appName: queryAppName
    storageAccountName: 'water${environmentName}q${suffix}'
    planSize: 'FC1'
    instanceMemoryMB: submissionsHttp == 'off' ? 2048 : 4096
    maximumInstances: maximumInstances
    alwaysReadyInstances: alwaysReadyInstances
    isPlanZoneRedundant: isZoneRedundant
    isStorageZoneRedundant: isZoneRedundant
    subnetId: isPrivate ? network!.outputs.appSubnetId : ''
    insightsName: insightsName
    identity: {
      id: queryIdentity.id
      clientId: queryIdentity.properties.clientId
      principalId: queryIdentity.properties.principalId
    }
    settings: {
      FUNCTIONS_TO_RUN: 'http'
      WATER_STORE: 'cosmos'
      COSMOS_ENDPOINT: cosmosEndpointUrl
      COSMOS_DATABASE: databaseName
      EXPORTS_CONTAINER: exportsUrl
      PUBLIC_URL: publicUrl
      SUBMIT_INSTRUCTIONS: submitInstructions
      // The inbox belongs to the loader app. The query app gets its address and write access only with 'submit' (D76).
      SUBMISSIONS_INBOX: submissionsHttp == 'submit' ? inboxUrl : ''
      SUBMISSIONS_HTTP: submissionsHttp
      CHECK_MB: string(checkMB)
      SUBMIT_MB: string(submitMB)
      // The Functions host refuses bodies of more than 100 MB with a 500, unless this setting allows more.
      FUNCTIONS_REQUEST_BODY_SIZE_LIMIT: string((max(checkMB, submitMB) + 1) * 1048576)
      // For the processes that run checks. An instance runs at most two at once.
      LOADER_MEMORY_MB: '768'
      STAGING_DIR: '/tmp/water-staging'
      SLASH_DATE_ORDER: slashDateOrder
      SEARCH_CACHE_MB: '320'
      ANSWER_CACHE_MB: '64'
      MAX_IN_FLIGHT_MB: '384'
      REQUEST_DEADLINE_SECONDS: '30'
      MAX_CONCURRENT_REQUESTS: '256'
      KEYLESS_REQUESTS_PER_HOUR: '0'
      // The platform's front end appends the client's address. Anything before it was sent by the client (D54).
      TRUSTED_PROXIES: '1'
      OPEN_PAGES: 'true'
      PAGES_PER_MINUTE: '600'
      BASEMAP_TILES: basemapTiles
      LINKED_DATA_ID: linkedDataId
      CONTACT: ''
      SELF_SERVICE_KEYS: selfServiceKeys
      SELF_SERVICE_KEYS_PER_DAY: '1000'
      INSTANT_KEY_LIMITS: '300/300000'
      SMTP_URL: ''
      MAIL_FROM: ''
      EXPORT_LIMIT: '5000000'
      EXPORTS_AT_ONCE: '2'
      REQUESTS_PER_MINUTE: '30000'
      RECORDS_PER_MINUTE: '30000000'
      // Without write access, the use of keys is written to the log (ADR 0043).
      KEY_USAGE: selfServiceKeys == 'off' ? 'log' : 'store'
    }
  }
  dependsOn: [
    monitoring
    databaseAccess
  ]
}

module loaderApp 'modules/app.bicep' = {
  params: {
    location: location
    appName: loaderAppName
    storageAccountName: 'water${environmentName}l${suffix}'
    planSize: loaderPlanSize
    instanceMemoryMB: 4096
    maximumInstances: 40
    alwaysReadyInstances: 0
    isPlanZoneRedundant: false
    isStorageZoneRedundant: isZoneRedundant
    subnetId: isPrivate ? network!.outputs.loaderSubnetId : ''
    insightsName: insightsName
    identity: {
      id: loaderIdentity.id
      clientId: loaderIdentity.properties.clientId
      principalId: loaderIdentity.properties.principalId
    }
    settings: {
      FUNCTIONS_TO_RUN: 'timers'
      WATER_STORE: 'cosmos'
      COSMOS_ENDPOINT: cosmosEndpointUrl
      COSMOS_DATABASE: databaseName
      SUBMISSIONS_INBOX: inboxUrl
      EXPORTS_CONTAINER: exportsUrl
      // Linked data in the files of releases contain these addresses (D58).
      PUBLIC_URL: publicUrl
      LINKED_DATA_ID: linkedDataId
      // Self-service keys need the same setting in both apps (D56).
      SELF_SERVICE_KEYS: selfServiceKeys
      LOADER_SCHEDULE: '0 */5 * * * *'
      LOADER_MINUTES: '30'
      LOADER_QUIET_SECONDS: '10'
      LOADER_MEMORY_MB: 'auto'
      REJECTED_SHARE_LIMIT: '0.1'
      HOLD_SUBMISSIONS: 'true'
      RELEASE_RETENTION_DAYS: '30'
      // The package is mounted read-only. This folder has 15 GB on an instance, or what its plan provides
      // (docs/deploying.md).
      STAGING_DIR: '/tmp/water-staging'
    }
  }
  dependsOn: [
    monitoring
    databaseAccess
  ]
}

module loaderInboxAccess 'modules/blob-access.bicep' = {
  params: {
    accountName: inboxAccountName
    containerName: inboxContainer
    access: 'write'
    principalName: loaderAppName
    principalId: loaderIdentity.properties.principalId
    principalType: 'ServicePrincipal'
  }
  dependsOn: [
    inbox
  ]
}

// Only for that container, and only if submissions over HTTP are on.
module queryInboxAccess 'modules/blob-access.bicep' = if (submissionsHttp == 'submit') {
  params: {
    accountName: inboxAccountName
    containerName: inboxContainer
    access: 'write'
    principalName: queryAppName
    principalId: queryIdentity.properties.principalId
    principalType: 'ServicePrincipal'
  }
  dependsOn: [
    inbox
  ]
}

module operatorInboxAccess 'modules/blob-access.bicep' = {
  params: {
    accountName: inboxAccountName
    containerName: inboxContainer
    access: 'write'
    principalName: operatorPrincipalId
    principalId: operatorPrincipalId
    principalType: operatorPrincipalType
  }
  dependsOn: [
    inbox
  ]
}

module loaderExportsAccess 'modules/blob-access.bicep' = {
  params: {
    accountName: exportsAccountName
    containerName: exportsContainer
    access: 'write'
    principalName: loaderAppName
    principalId: loaderIdentity.properties.principalId
    principalType: 'ServicePrincipal'
  }
  dependsOn: [
    exports
  ]
}

module queryExportsAccess 'modules/blob-access.bicep' = {
  params: {
    accountName: exportsAccountName
    containerName: exportsContainer
    access: 'read'
    principalName: queryAppName
    principalId: queryIdentity.properties.principalId
    principalType: 'ServicePrincipal'
  }
  dependsOn: [
    exports
  ]
}

module queryExportsDelegation 'modules/blob-delegation.bicep' = {
  params: {
    accountName: exportsAccountName
    principalName: queryAppName
    principalId: queryIdentity.properties.principalId
  }
  dependsOn: [
    exports
  ]
}

module operatorExportsAccess 'modules/blob-access.bicep' = {
  params: {
    accountName: exportsAccountName
    containerName: exportsContainer
    access: 'write'
    principalName: operatorPrincipalId
    principalId: operatorPrincipalId
    principalType: operatorPrincipalType
  }
  dependsOn: [
    exports
  ]
}

module alerts 'modules/alerts.bicep' = {
  params: {
    location: location
    name: baseName
    email: alertEmail
    insightsId: monitoring.outputs.insightsId
    cosmosAccountId: cosmos.outputs.accountId
    queryAppName: queryAppName
    loaderAppName: loaderAppName
  }
}

module diagnostics 'modules/diagnostics.bicep' = {
  params: {
    name: baseName
    workspaceId: monitoring.outputs.workspaceId
    cosmosAccountName: cosmosAccountName
    inboxAccountName: inboxAccountName
    email: alertEmail
    monthlyBudget: monthlyBudget
    budgetStart: budgetStart
  }
  dependsOn: [
    cosmos
    inbox
  ]
}

output queryAppName string = queryAppName
output loaderAppName string = loaderAppName
output serviceUrl string = 'https://${queryApp.outputs.hostName}'
output cosmosEndpoint string = cosmosEndpointUrl
output cosmosDatabase string = databaseName
output inboxAccountName string = inboxAccountName
output inboxContainer string = inboxContainer
output exportsUrl string = exportsUrl
