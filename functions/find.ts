// Searches the names of sites, units, rights, owners, areas and terms: GET or POST /v1/Find. Callers need a key.

import { httpFunction } from '../shared/http/pipeline/pipeline';
import { findRoute } from '../shared/http/v1/find';
import { find } from '../shared/query/operations';

export const findFunction = httpFunction({
  name: 'Find',
  route: 'v1/Find/{*path}',
  routes: [{ name: find.name, path: find.route, route: findRoute }],
});
