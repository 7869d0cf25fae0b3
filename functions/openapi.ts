import { openApi } from '../shared/http/pages/documentation';
import { respond } from '../shared/http/respond';
import type { HttpFunction } from '../shared/http/service';

export const openApiFunction: HttpFunction = {
  name: 'OpenApi',
  route: 'openapi.json',
  handle: (request, service) => respond(request, service, () => openApi(request, service)),
};
