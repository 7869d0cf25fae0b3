// Reports whether the service can answer, for health probes and for people (docs/operating/health.md): GET /health.
// Open to anyone.

import { checkHealth } from '../shared/http/operating/health';
import { NOT_READY, notReady, refuse } from '../shared/http/pipeline/outcome';
import { httpFunction } from '../shared/http/pipeline/pipeline';
import type { Route } from '../shared/http/pipeline/route';

const healthRoute: Route = {
  access: 'open',
  answer: async (_, service) => {
    const health = await checkHealth(service);
    if (health.kind === 'not ready') {
      return refuse(health.unreadable.length === 0 ? NOT_READY : notReady(health.unreadable));
    }
    const headers = { 'Data-Version': health.dataVersion, 'Cache-Control': 'no-store' };
    return { kind: 'answer', body: Buffer.from(health.document), contentType: 'application/json', headers };
  },
};

export const healthFunction = httpFunction({
  name: 'Health',
  route: 'health/{*path}',
  routes: [{ name: 'Health', path: 'health', route: healthRoute }],
});
