import { endpoint } from '../shared/http/endpoint';
import { register } from '../shared/http/register';
import { siteAllocationAmounts } from '../shared/query/site-allocation-amounts';

export const siteAllocationAmountsFunction = register(endpoint(siteAllocationAmounts));
