// Alerts for the operator. Their queries read the telemetry that host.json does not filter out, and the lines that the
// loaders print.

param location string
param name string
param email string
param insightsId string
param cosmosAccountId string
param queryAppName string
param loaderAppName string

var logAlerts = [
  {
    name: 'errors'
    description: 'More than 5 answers in 15 minutes were 500 or 503.'
    query: 'requests | where cloud_RoleName =~ "${queryAppName}" and toint(resultCode) >= 500 | summarize value = sum(itemCount)'
    operator: 'GreaterThan'
    threshold: 5
    windowSize: 'PT15M'
    severity: 1
  }
  {
    name: 'latency'
    description: 'One request in twenty took more than 3 seconds, over 15 minutes with at least 20 requests.'
    query: 'requests | where cloud_RoleName =~ "${queryAppName}" | summarize value = percentile(duration, 95), asked = sum(itemCount) | where asked >= 20 | project value'
    operator: 'GreaterThan'
    threshold: 3000
    windowSize: 'PT15M'
    severity: 2
  }
  {
    name: 'submissions-refused'
    description: 'A submission was refused: its report lies in refused/ of the inbox.'
    query: 'traces | where cloud_RoleName =~ "${loaderAppName}" and message startswith "submission " and message contains ": Refused: " | summarize value = count()'
    operator: 'GreaterThan'
    threshold: 0
    windowSize: 'PT15M'
    severity: 3
  }
  {
    name: 'submissions-held'
    description: 'A submission is held until somebody confirms it: its report lies in held/ of the inbox.'
    query: 'traces | where cloud_RoleName =~ "${loaderAppName}" and message startswith "submission " and message contains ": Held: " | summarize value = count()'
    operator: 'GreaterThan'
    threshold: 0
    windowSize: 'PT15M'
    severity: 3
  }
  {
    name: 'submissions-stuck'
    description: 'A submission could not be loaded, and is retried at every check of the inbox.'
    query: 'traces | where cloud_RoleName =~ "${loaderAppName}" and message startswith "submission " and message contains " could not be taken in" | summarize value = count()'
    operator: 'GreaterThan'
    threshold: 0
    windowSize: 'PT15M'
    severity: 1
  }
  {
    name: 'tick-failed'
    description: 'A tick of a timer (inbox, files of releases, janitor) failed: its thread threw, exited or ran out of memory.'
    query: 'requests | where cloud_RoleName =~ "${loaderAppName}" and success == false | summarize value = sum(itemCount)'
    operator: 'GreaterThan'
    threshold: 0
    windowSize: 'PT15M'
    severity: 1
  }
  {
    name: 'loader-silent'
    description: 'No tick of the loader ended well in an hour.'
    query: 'requests | where cloud_RoleName =~ "${loaderAppName}" and name == "TakeInSubmissions" and success == true | summarize value = sum(itemCount)'
    operator: 'LessThan'
    threshold: 1
    windowSize: 'PT1H'
    severity: 1
  }
]

resource group 'Microsoft.Insights/actionGroups@2023-01-01' = {
  name: '${name}-operators'
  location: 'global'
  properties: {
    groupShortName: 'water'
    enabled: true
    emailReceivers: [
      {
        name: 'operators'
        emailAddress: email
        useCommonAlertSchema: true
      }
    ]
  }
}

resource rules 'Microsoft.Insights/scheduledQueryRules@2023-12-01' = [
  for alert in logAlerts: {
    name: '${name}-${alert.name}'
    location: location
    kind: 'LogAlert'
    properties: {
      displayName: alert.name
      description: alert.description
      severity: alert.severity
      enabled: true
      scopes: [
        insightsId
      ]
      evaluationFrequency: 'PT5M'
      windowSize: alert.windowSize
      autoMitigate: true
      criteria: {
        allOf: [
          {
            query: alert.query
            metricMeasureColumn: 'value'
            timeAggregation: 'Total'
            operator: alert.operator
            threshold: alert.threshold
            failingPeriods: {
              numberOfEvaluationPeriods: 1
              minFailingPeriodsToAlert: 1
            }
          }
        ]
      }
      actions: {
        actionGroups: [
          group.id
        ]
      }
    }
  }
]

resource throttled 'Microsoft.Insights/metricAlerts@2018-03-01' = {
  name: '${name}-database-throttled'
  location: 'global'
  properties: {
    description: 'The database refused more than 100 requests in 15 minutes for want of request units (429).'
    severity: 2
    enabled: true
    scopes: [
      cosmosAccountId
    ]
    evaluationFrequency: 'PT5M'
    windowSize: 'PT15M'
    criteria: {
      'odata.type': 'Microsoft.Azure.Monitor.SingleResourceMultipleMetricCriteria'
      allOf: [
        {
          name: 'throttled'
          criterionType: 'StaticThresholdCriterion'
          metricName: 'TotalRequests'
          metricNamespace: 'Microsoft.DocumentDB/databaseAccounts'
          dimensions: [
            {
              name: 'StatusCode'
              operator: 'Include'
              values: [
                '429'
              ]
            }
          ]
          timeAggregation: 'Count'
          operator: 'GreaterThan'
          threshold: 100
        }
      ]
    }
    actions: [
      {
        actionGroupId: group.id
      }
    ]
  }
}
