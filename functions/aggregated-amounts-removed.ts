import { endpoint } from '../shared/http/endpoint';
import { aggregatedAmountsRemoved } from '../shared/query/operations';

export const aggregatedAmountsRemovedFunction = endpoint(aggregatedAmountsRemoved);
