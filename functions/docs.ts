// The documentation page, and the files that it and the landing page need.

import { fileOutcome } from '../shared/http/pages/page';
import { pageFile } from '../shared/http/pages/page-files';
import { documentationPage } from '../shared/http/pages/script-pages';
import { httpFunction } from '../shared/http/pipeline/pipeline';

export const docsFunction = httpFunction('Docs', 'docs/{*path}', ({ url }, { pages }) => {
  const name = new URL(url).pathname.replace(/^\/docs\/?/i, '');
  if (name === '') return { access: 'open', answer: documentationPage };
  const file = pageFile(name, pages);
  return file && { access: 'open', answer: (request) => fileOutcome(request, file, pages) };
});
