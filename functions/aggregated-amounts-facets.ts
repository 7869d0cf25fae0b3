import { endpoint } from '../shared/http/endpoint';
import { aggregatedAmountsFacets } from '../shared/query/operations';

export const aggregatedAmountsFacetsFunction = endpoint(aggregatedAmountsFacets);
