// GET /metrics for Prometheus (ADR 0055): from this machine, or with a key that may read it. And what observes the
// other functions for it.

import { sentKey, usableDevelopmentKey } from './access';
import { METRICS_TYPE, metricsText } from './memory/metrics';
import { refused, UNAUTHORIZED, type Outcome } from './outcome/outcome';
import type { AskedRequest, HttpFunction, Service } from './service';

export async function answerMetrics(request: AskedRequest, service: Service): Promise<Outcome> {
  if (!(await mayRead(request, service))) return refused(UNAUTHORIZED);
  const body = Buffer.from(await metricsText(await service.collectMetrics()));
  return { kind: 'answer', body, contentType: METRICS_TYPE, headers: { 'Cache-Control': 'no-store' } };
}

/** Behind a proxy everybody comes from this machine, so a key is needed there. */
async function mayRead(request: AskedRequest, service: Service): Promise<boolean> {
  const isForwarded = request.headers.has('forwarded') || request.headers.has('x-forwarded-for');
  if (request.isFromThisMachine === true && !isForwarded) return true;
  return service.access.mayReadMetrics(sentKey(request), usableDevelopmentKey(request, service), service.now());
}

/** The same function, counted and timed. */
export function observed({ handle, ...declared }: HttpFunction): HttpFunction {
  return {
    ...declared,
    handle: async (request, service) => {
      const startedAt = service.clock();
      const response = await handle(request, service);
      const bytes = response.body instanceof Uint8Array ? response.body.length : 0;
      const seconds = Math.max(0, service.clock() - startedAt) / 1000;
      service.metrics.answered({ name: declared.name, status: response.status ?? 200, seconds, bytes });
      return response;
    },
  };
}
