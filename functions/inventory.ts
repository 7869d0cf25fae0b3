import { keyHolderFunction } from '../shared/http/access';
import { answerInventory } from '../shared/http/inventory';
import { inventory } from '../shared/query/operations';

export const inventoryFunction = keyHolderFunction(inventory, answerInventory);
