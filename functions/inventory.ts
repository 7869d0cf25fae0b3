import { forKeyHolder } from '../shared/http/access';
import { answerInventory } from '../shared/http/inventory';
import { register } from '../shared/http/register';
import { respond } from '../shared/http/respond';
import { inventory } from '../shared/query/inventory-operation';

export const inventoryFunction = register({
  name: inventory.name,
  route: inventory.route,
  handle: (request, service) =>
    respond(request, service, () =>
      forKeyHolder(request, service, (items) => answerInventory(request, items, service)),
    ),
});
