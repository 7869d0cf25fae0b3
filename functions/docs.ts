// The documentation page, and the files that it and the landing page need.

import { fileOutcome } from '../shared/http/pages/page';
import { pageFile } from '../shared/http/pages/page-files';
import { documentationPage } from '../shared/http/pages/script-pages';
import { refuseUnknownPath, respond } from '../shared/http/respond';
import type { HttpFunction } from '../shared/http/service';

export const docsFunction: HttpFunction = {
  name: 'Docs',
  route: 'docs/{*path}',
  handle: (request, service) => {
    const name = new URL(request.url).pathname.replace(/^\/docs\/?/i, '');
    if (name === '') return respond(request, service, () => documentationPage(request, service));
    const file = pageFile(name, service.pages);
    if (file === undefined) return refuseUnknownPath(request, service);
    return respond(request, service, () => fileOutcome(request, file, service.pages));
  },
};
