import { register } from '../shared/http/register';
import { respond } from '../shared/http/respond';
import { openApi } from '../shared/http/pages/openapi';

export const openApiFunction = register({
  name: 'OpenApi',
  route: 'openapi.json',
  handle: (request, service) => respond(request, service, () => openApi(request, service)),
});
