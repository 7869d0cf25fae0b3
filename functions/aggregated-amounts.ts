import { endpoint } from '../shared/http/endpoint';
import { aggregatedAmounts } from '../shared/query/operations';

export const aggregatedAmountsFunction = endpoint(aggregatedAmounts);
