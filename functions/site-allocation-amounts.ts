import { endpoint } from '../shared/http/endpoint';
import { siteAllocationAmounts } from '../shared/query/operations';

export const siteAllocationAmountsFunction = endpoint(siteAllocationAmounts);
