import { endpoint } from '../shared/http/endpoint';
import { aggregatedAmountsTotals } from '../shared/query/operations';

export const aggregatedAmountsTotalsFunction = endpoint(aggregatedAmountsTotals);
