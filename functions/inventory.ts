import { answerKeyHolder } from '../shared/http/access';
import { answerInventory } from '../shared/http/inventory';
import { respond } from '../shared/http/respond';
import type { HttpFunction } from '../shared/http/service';
import { inventory } from '../shared/query/operations';

export const inventoryFunction: HttpFunction = {
  name: inventory.name,
  route: inventory.route,
  handle: (request, service) =>
    respond(request, service, () =>
      answerKeyHolder(request, service, (items) => answerInventory(request, items, service)),
    ),
};
