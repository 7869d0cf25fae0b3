// Platform logs of the database and of the inbox, kept in the workspace for 30 days: changes to the account, the cost
// of each partition, and writes and deletions of blobs. No log contains a client's query. Also a budget with email
// notifications.

param name string
param workspaceId string
param cosmosAccountName string
param inboxAccountName string
param email string

@description('US dollars per month for this resource group. Emails are sent at 80 and 100 percent, and when the forecast reaches 100 percent.')
param monthlyBudget int

@description('The first day of a month, YYYY-MM-DD. Azure refuses to move the start of an existing budget.')
param budgetStart string

resource account 'Microsoft.DocumentDB/databaseAccounts@2025-10-15' existing = {
  name: cosmosAccountName
}

resource inbox 'Microsoft.Storage/storageAccounts@2025-08-01' existing = {
  name: inboxAccountName
}

resource blobs 'Microsoft.Storage/storageAccounts/blobServices@2025-08-01' existing = {
  parent: inbox
  name: 'default'
}

resource databaseLogs 'Microsoft.Insights/diagnosticSettings@2021-05-01-preview' = {
  name: '${name}-database'
  scope: account
  properties: {
    workspaceId: workspaceId
    logAnalyticsDestinationType: 'Dedicated'
    logs: [
      {
        category: 'ControlPlaneRequests'
        enabled: true
      }
      {
        category: 'PartitionKeyRUConsumption'
        enabled: true
      }
    ]
  }
}

resource inboxLogs 'Microsoft.Insights/diagnosticSettings@2021-05-01-preview' = {
  name: '${name}-inbox'
  scope: blobs
  properties: {
    workspaceId: workspaceId
    logs: [
      {
        category: 'StorageWrite'
        enabled: true
      }
      {
        category: 'StorageDelete'
        enabled: true
      }
    ]
  }
}

resource budget 'Microsoft.Consumption/budgets@2024-08-01' = {
  name: '${name}-budget'
  properties: {
    category: 'Cost'
    amount: monthlyBudget
    timeGrain: 'Monthly'
    timePeriod: {
      startDate: budgetStart
    }
    notifications: {
      mostIsSpent: {
        enabled: true
        operator: 'GreaterThan'
        threshold: 80
        thresholdType: 'Actual'
        contactEmails: [
          email
        ]
      }
      allIsSpent: {
        enabled: true
        operator: 'GreaterThan'
        threshold: 100
        thresholdType: 'Actual'
        contactEmails: [
          email
        ]
      }
      willBeSpent: {
        enabled: true
        operator: 'GreaterThan'
        threshold: 100
        thresholdType: 'Forecasted'
        contactEmails: [
          email
        ]
      }
    }
  }
}
