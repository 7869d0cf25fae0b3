import { keyHolderFunction } from '../shared/http/access';
import { answerInventory } from '../shared/http/catalog/inventory';
import { inventory } from '../shared/query/operations';

export const inventoryFunction = keyHolderFunction(inventory, answerInventory);
