// The documentation page, and the files that it and the landing page need.

import { httpFunction } from '../shared/http/pipeline/pipeline';

export const docsFunction = httpFunction('Docs', 'docs/{*path}', (request, service) => {
  return import('../shared/http/pages/script-pages.js').then(({ findDocsRoute }) => findDocsRoute(request, service));
});
