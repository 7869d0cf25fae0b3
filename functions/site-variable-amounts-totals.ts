import { endpoint } from '../shared/http/endpoint';
import { siteVariableAmountsTotals } from '../shared/query/operations';

export const siteVariableAmountsTotalsFunction = endpoint(siteVariableAmountsTotals);
