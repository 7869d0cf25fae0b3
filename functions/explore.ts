// The explorer's page and the files of its program.

import { namedFileOutcome } from '../shared/http/pages/page';
import { explorerFile } from '../shared/http/pages/page-files';
import { explorerPage } from '../shared/http/pages/script-pages';
import { httpFunction } from '../shared/http/pipeline/pipeline';

export const exploreFunction = httpFunction('Explore', 'explore/{*path}', ({ url }, { pages }) => {
  const name = new URL(url).pathname.replace(/^\/explore\/?/i, '');
  if (name === '') return { access: 'open', answer: explorerPage };
  const file = explorerFile(name, pages);
  return file && { access: 'open', answer: (request) => namedFileOutcome(request, file, pages) };
});
