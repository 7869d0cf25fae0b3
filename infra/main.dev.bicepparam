using 'main.bicep'

// Read from the environment of the person who deploys, because these values do not belong in the repository.
param operatorPrincipalId = readEnvironmentVariable('OPERATOR_PRINCIPAL_ID')
param alertEmail = readEnvironmentVariable('ALERT_EMAIL')

// The month of the first deployment. Never change it afterwards (docs/deploying.md).
param budgetStart = '2026-12-01'

param environmentName = 'dev'
param operatorPrincipalType = 'User'
param maxThroughput = 1000
param backupDays = 7
param isZoneRedundant = false
param isPrivate = false
param alwaysReadyInstances = 0
param maximumInstances = 40
param monthlyBudget = 60
