import { endpoint } from '../shared/http/endpoint';
import { siteAllocationAmountsTotals } from '../shared/query/operations';

export const siteAllocationAmountsTotalsFunction = endpoint(siteAllocationAmountsTotals);
