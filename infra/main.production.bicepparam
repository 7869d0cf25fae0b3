using 'main.bicep'

// Read from the environment of the person who deploys, because these values do not belong in the repository.
param operatorPrincipalId = readEnvironmentVariable('OPERATOR_PRINCIPAL_ID')
param alertEmail = readEnvironmentVariable('ALERT_EMAIL')

// The month of the first deployment. Never change it afterwards (docs/deploying.md).
param budgetStart = '2026-12-01'

param environmentName = 'prod'
param operatorPrincipalType = 'Group'
param maxThroughput = 10000
param backupDays = 30
param isZoneRedundant = true
param isPrivate = true
param alwaysReadyInstances = 2
param maximumInstances = 100
param monthlyBudget = 300
