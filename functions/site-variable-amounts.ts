import { endpoint } from '../shared/http/endpoint';
import { register } from '../shared/http/register';
import { siteVariableAmounts } from '../shared/operations/site-variable-amounts';

export const siteVariableAmountsFunction = register(endpoint(siteVariableAmounts));
