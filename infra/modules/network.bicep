// A network for apps whose database has no public address.

param location string
param name string

resource network 'Microsoft.Network/virtualNetworks@2025-05-01' = {
  name: '${name}-network'
  location: location
  properties: {
    addressSpace: {
      addressPrefixes: [
        '10.20.0.0/16'
      ]
    }
    subnets: [
      {
        name: 'apps'
        properties: {
          addressPrefix: '10.20.0.0/24'
          delegations: [
            {
              name: 'flex-consumption'
              properties: {
                serviceName: 'Microsoft.App/environments'
              }
            }
          ]
        }
      }
      {
        // A subnet for a plan with instances needs its own delegation.
        name: 'loaders'
        properties: {
          addressPrefix: '10.20.2.0/24'
          delegations: [
            {
              name: 'instances'
              properties: {
                serviceName: 'Microsoft.Web/serverFarms'
              }
            }
          ]
        }
      }
      {
        name: 'endpoints'
        properties: {
          addressPrefix: '10.20.1.0/24'
        }
      }
    ]
  }
}

output networkId string = network.id
output appSubnetId string = '${network.id}/subnets/apps'
output loaderSubnetId string = '${network.id}/subnets/loaders'
output endpointSubnetId string = '${network.id}/subnets/endpoints'
