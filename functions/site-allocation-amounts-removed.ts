import { endpoint } from '../shared/http/endpoint';
import { siteAllocationAmountsRemoved } from '../shared/query/operations';

export const siteAllocationAmountsRemovedFunction = endpoint(siteAllocationAmountsRemoved);
