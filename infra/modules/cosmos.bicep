// The database: access by Entra identities only, autoscale, and point-in-time restore. The containers are defined in
// the adapter's own file.

param location string
param accountName string
param databaseName string
param maxThroughput int
param backupDays int
param isZoneRedundant bool
param isPrivate bool

@description('Applies only if the database is private. IP rules on a public database would block the apps, whose addresses change.')
param operatorAddresses string[]

@description('The GUID of the role definition for loaders and operators.')
param writerRoleName string

var containerShapes = loadJsonContent('../../shared/store/cosmos/containers.json')

var operatorRules = [
  for address in operatorAddresses: {
    ipAddressOrRange: address
  }
]

resource account 'Microsoft.DocumentDB/databaseAccounts@2025-10-15' = {
  name: accountName
  location: location
  kind: 'GlobalDocumentDB'
  properties: {
    databaseAccountOfferType: 'Standard'
    locations: [
      {
        locationName: location
        failoverPriority: 0
        isZoneRedundant: isZoneRedundant
      }
    ]
    consistencyPolicy: {
      defaultConsistencyLevel: 'Session'
    }
    backupPolicy: {
      type: 'Continuous'
      continuousModeProperties: {
        tier: backupDays == 30 ? 'Continuous30Days' : 'Continuous7Days'
      }
    }
    disableLocalAuth: true
    disableKeyBasedMetadataWriteAccess: true
    minimalTlsVersion: 'Tls12'
    publicNetworkAccess: isPrivate && empty(operatorAddresses) ? 'Disabled' : 'Enabled'
    ipRules: isPrivate ? operatorRules : []
  }
}

// All containers share the throughput of the database.
resource database 'Microsoft.DocumentDB/databaseAccounts/sqlDatabases@2025-10-15' = {
  parent: account
  name: databaseName
  properties: {
    resource: {
      id: databaseName
    }
    options: {
      autoscaleSettings: {
        maxThroughput: maxThroughput
      }
    }
  }
}

// One at a time: the account refuses concurrent operations (412, 429).
@batchSize(1)
resource containers 'Microsoft.DocumentDB/databaseAccounts/sqlDatabases/containers@2025-10-15' = [
  for shape in containerShapes: {
    parent: database
    name: shape.id
    properties: {
      resource: shape
    }
  }
]

// The role covers what loaders and the operator do. Unlike the built-in contributor, it does not cover conflicts and
// stored procedures.
resource writerRole 'Microsoft.DocumentDB/databaseAccounts/sqlRoleDefinitions@2025-10-15' = {
  parent: account
  name: writerRoleName
  properties: {
    roleName: 'Water data writer'
    type: 'CustomRole'
    assignableScopes: [
      account.id
    ]
    permissions: [
      {
        dataActions: [
          'Microsoft.DocumentDB/databaseAccounts/readMetadata'
          'Microsoft.DocumentDB/databaseAccounts/sqlDatabases/containers/executeQuery'
          'Microsoft.DocumentDB/databaseAccounts/sqlDatabases/containers/readChangeFeed'
          'Microsoft.DocumentDB/databaseAccounts/sqlDatabases/containers/items/read'
          'Microsoft.DocumentDB/databaseAccounts/sqlDatabases/containers/items/create'
          'Microsoft.DocumentDB/databaseAccounts/sqlDatabases/containers/items/replace'
          'Microsoft.DocumentDB/databaseAccounts/sqlDatabases/containers/items/upsert'
          'Microsoft.DocumentDB/databaseAccounts/sqlDatabases/containers/items/delete'
        ]
      }
    ]
  }
}

output accountId string = account.id
