using 'main.bicep'

// Whose they are is for the environment of whoever deploys, not for the repository.
param operatorPrincipalId = readEnvironmentVariable('OPERATOR_PRINCIPAL_ID')
param alertEmail = readEnvironmentVariable('ALERT_EMAIL')

param environmentName = 'dev'
param operatorPrincipalType = 'User'
param maxThroughput = 1000
param backupDays = 7
param isZoneRedundant = false
param isPrivate = false
param alwaysReadyInstances = 0
param maximumInstances = 40
param monthlyBudget = 60
