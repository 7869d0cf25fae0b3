// The documentation page, and the files that it and the landing page need.

import { refused, UNKNOWN_PATH, type Outcome } from '../shared/http/outcome';
import { documentationPage } from '../shared/http/pages/documentation';
import { pageFile } from '../shared/http/pages/page-files';
import { fileOutcome } from '../shared/http/pages/page-outcome';
import { respond } from '../shared/http/respond';
import type { HttpFunction } from '../shared/http/service';

export const docsFunction: HttpFunction = {
  name: 'Docs',
  route: 'docs/{*path}',
  handle: (request, service) => {
    const name = new URL(request.url).pathname.replace(/^\/docs\/?/i, '');
    const file = pageFile(name, service.pages);
    const answer = (): Promise<Outcome> => {
      if (name === '') return documentationPage(request, service);
      return file === undefined ? Promise.resolve(refused(UNKNOWN_PATH)) : fileOutcome(request, file, service.pages);
    };
    return respond(request, service, answer, name === '' || file !== undefined);
  },
};
