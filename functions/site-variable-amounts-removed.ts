import { endpoint } from '../shared/http/endpoint';
import { siteVariableAmountsRemoved } from '../shared/query/operations';

export const siteVariableAmountsRemovedFunction = endpoint(siteVariableAmountsRemoved);
