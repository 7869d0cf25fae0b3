// The published data sets and the values of filters: GET or POST /v1/Inventory. Callers need a key.

import { httpFunction } from '../shared/http/pipeline/pipeline';
import { inventoryRoute } from '../shared/http/v1/inventory';
import { inventory } from '../shared/query/operations';

export const inventoryFunction = httpFunction({
  name: 'Inventory',
  route: 'v1/Inventory/{*path}',
  routes: [{ name: inventory.name, path: inventory.route, route: inventoryRoute }],
});
