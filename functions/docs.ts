// The documentation page, and the files that it and the landing page are made of.

import { UNKNOWN_PATH } from '../shared/http/problem';
import { register } from '../shared/http/register';
import { respond, type Outcome } from '../shared/http/respond';
import { operationsPage } from '../shared/http/pages/operations-page';
import { pageFile } from '../shared/http/pages/page-files';
import { fileOutcome } from '../shared/http/pages/page-outcome';

export const docsFunction = register({
  name: 'Docs',
  route: 'docs/{*path}',
  handle: (request, service) => {
    const name = new URL(request.url).pathname.replace(/^\/docs\/?/i, '');
    const file = pageFile(name);
    const answer = (): Promise<Outcome> => {
      if (name === '') return operationsPage(request, service);
      return file === undefined ? Promise.resolve({ problem: UNKNOWN_PATH }) : fileOutcome(request, file);
    };
    return respond(request, service, answer, name === '' || file !== undefined);
  },
});
