// The sites of amounts and water rights, with the series of each: GET or POST /v1/Sites.
// Callers need a key.

import { httpFunction } from '../shared/http/pipeline/pipeline';
import { operationEntry } from '../shared/http/v1/operations';
import { sites } from '../shared/query/operations';

export const sitesFunction = httpFunction({
  name: 'Sites',
  route: 'v1/Sites/{*path}',
  routes: [operationEntry(sites)],
});
