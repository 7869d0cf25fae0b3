// Allows an app to send telemetry.

param insightsName string

@description('Determines the name of the assignment. It is known before the principal exists, so that what-if can evaluate this module.')
param principalName string
param principalId string

// Monitoring Metrics Publisher. Despite its name, this role covers all telemetry.
var publisherRole = '3913510d-42f4-4e42-8a64-420c390055eb'

resource insights 'Microsoft.Insights/components@2020-02-02' existing = {
  name: insightsName
}

resource assignment 'Microsoft.Authorization/roleAssignments@2022-04-01' = {
  name: guid(insights.id, principalName, publisherRole)
  scope: insights
  properties: {
    principalId: principalId
    principalType: 'ServicePrincipal'
    roleDefinitionId: subscriptionResourceId('Microsoft.Authorization/roleDefinitions', publisherRole)
  }
}
