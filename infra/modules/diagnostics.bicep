// What the platform logs of the database and of the inbox, for 30 days in the workspace: who changed the account, what
// each partition costs, who wrote and deleted blobs. No log has a query of a client. And a budget with mails.

param name string
param workspaceId string
param cosmosAccountName string
param inboxAccountName string
param email string

@description('US dollars a month of this resource group; mails go out at 80 and 100 percent, and at 100 percent of the forecast.')
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
