import { endpoint } from '../shared/http/endpoint';
import { siteVariableAmountsFacets } from '../shared/query/operations';

export const siteVariableAmountsFacetsFunction = endpoint(siteVariableAmountsFacets);
