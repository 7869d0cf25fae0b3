import { checkHealth } from '../shared/http/health';
import { register } from '../shared/http/register';
import { respond } from '../shared/http/respond';

export const healthFunction = register({
  name: 'Health',
  route: 'health',
  handle: (request, service) => respond(request, service, () => checkHealth(service)),
});
