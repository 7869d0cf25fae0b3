import { endpoint } from '../shared/http/endpoint';
import { siteVariableAmounts } from '../shared/query/operations';

export const siteVariableAmountsFunction = endpoint(siteVariableAmounts);
