// The explorer's page and the files of its program.

import { namedFileOutcome } from '../shared/http/pages/page';
import { explorerFile } from '../shared/http/pages/page-files';
import { explorerPage } from '../shared/http/pages/script-pages';
import { refuseUnknownPath, respond } from '../shared/http/respond';
import type { HttpFunction } from '../shared/http/service';

export const exploreFunction: HttpFunction = {
  name: 'Explore',
  route: 'explore/{*path}',
  handle: (request, service) => {
    const name = new URL(request.url).pathname.replace(/^\/explore\/?/i, '');
    if (name === '') return respond(request, service, () => explorerPage(request, service));
    const file = explorerFile(name, service.pages);
    if (file === undefined) return refuseUnknownPath(request, service);
    return respond(request, service, () => namedFileOutcome(request, file, service.pages));
  },
};
