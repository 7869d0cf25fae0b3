// The explorer's page and the files of its program.

import { httpFunction } from '../shared/http/pipeline/pipeline';

export const exploreFunction = httpFunction('Explore', 'explore/{*path}', (request, service) => {
  return import('../shared/http/pages/script-pages.js').then(({ findExplorerRoute }) => {
    return findExplorerRoute(request, service);
  });
});
