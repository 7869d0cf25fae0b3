import { endpoint } from '../shared/http/endpoint';
import { register } from '../shared/http/register';
import { siteVariableAmounts } from '../shared/query/site-variable-amounts';

export const siteVariableAmountsFunction = register(endpoint(siteVariableAmounts));
