import { endpoint } from '../shared/http/endpoint';
import { register } from '../shared/http/register';
import { aggregatedAmounts } from '../shared/query/aggregated-amounts';

export const aggregatedAmountsFunction = register(endpoint(aggregatedAmounts));
