import { checkHealth } from '../shared/http/health';
import { respond } from '../shared/http/respond';
import type { HttpFunction } from '../shared/http/service';

export const healthFunction: HttpFunction = {
  name: 'Health',
  route: 'health',
  handle: (request, service) => respond(request, service, () => checkHealth(service)),
};
