import { endpoint } from '../shared/http/endpoint';
import { siteAllocationAmountsFacets } from '../shared/query/operations';

export const siteAllocationAmountsFacetsFunction = endpoint(siteAllocationAmountsFacets);
