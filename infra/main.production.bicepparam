using 'main.bicep'

// Whose they are is for the environment of whoever deploys, not for the repository.
param operatorPrincipalId = readEnvironmentVariable('OPERATOR_PRINCIPAL_ID')
param alertEmail = readEnvironmentVariable('ALERT_EMAIL')

param environmentName = 'prod'
param operatorPrincipalType = 'Group'
param maxThroughput = 10000
param backupDays = 30
param isZoneRedundant = true
param isPrivate = true
param alwaysReadyInstances = 1
param maximumInstances = 100
param monthlyBudget = 200
