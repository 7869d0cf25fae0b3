// The page for submitters, and the files that they begin with.

import { httpFunction } from '../shared/http/pipeline/pipeline';

export const submitFunction = httpFunction('Submit', 'submit/{*path}', (request) => {
  return import('../shared/http/pages/submit-page.js').then(({ findSubmitRoute }) => findSubmitRoute(request));
});
