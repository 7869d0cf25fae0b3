// Every path that no other function has (D31: 404).

import { notFound } from '../shared/http/problem';
import { register } from '../shared/http/register';
import { respond } from '../shared/http/respond';
import { aggregatedAmounts } from '../shared/operations/aggregated-amounts';
import { siteAllocationAmounts } from '../shared/operations/site-allocation-amounts';
import { siteVariableAmounts } from '../shared/operations/site-variable-amounts';

const paths = [siteVariableAmounts, aggregatedAmounts, siteAllocationAmounts].map(({ route }) => `/${route}`);

export const notFoundFunction = register({
  name: 'NotFound',
  route: '{*path}',
  handle: (request, service) => respond(request, service, () => Promise.resolve({ problem: notFound(paths) }), false),
});
