import { checkHealth } from '../shared/http/operating/health';
import { NOT_READY, notReady, refused } from '../shared/http/pipeline/outcome';
import { httpFunction } from '../shared/http/pipeline/pipeline';

export const healthFunction = httpFunction('Health', 'health', {
  access: 'open',
  answer: async (_, service) => {
    const health = await checkHealth(service);
    if (health.kind === 'not ready') {
      return refused(health.unreadable.length === 0 ? NOT_READY : notReady(health.unreadable));
    }
    const headers = { 'Data-Version': health.dataVersion, 'Cache-Control': 'no-store' };
    return { kind: 'answer', body: Buffer.from(health.document), contentType: 'application/json', headers };
  },
});
