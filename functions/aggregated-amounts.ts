import { endpoint } from '../shared/http/endpoint';
import { register } from '../shared/http/register';
import { aggregatedAmounts } from '../shared/operations/aggregated-amounts';

export const aggregatedAmountsFunction = register(endpoint(aggregatedAmounts));
