import { httpFunction } from '../shared/http/pipeline/pipeline';
import { inventoryRoute } from '../shared/http/v1/inventory';
import { inventory } from '../shared/query/operations';

export const inventoryFunction = httpFunction(inventory.name, inventory.route, inventoryRoute);
