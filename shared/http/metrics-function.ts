// GET /metrics for Prometheus (ADR 0055), with a key that may read it; and what observes the other functions for it.

import { keyBesideAddress, unauthorized } from './access';
import { METRICS_TYPE } from './memory/metrics';
import { ASK_FOR_USER_NAME, KEY_NOT_FOR_METRICS, KEY_PROBLEMS } from './outcome/key-problems';
import type { Outcome } from './outcome/outcome';
import type { AskedRequest, HttpFunction, Service } from './service';

export async function answerMetrics(request: AskedRequest, service: Service): Promise<Outcome> {
  const { access, developmentKey, now } = service;
  const fault = await access.metricsFault({ key: keyBesideAddress(request), developmentKey }, now());
  if (fault !== undefined) {
    const problem = fault === 'not for metrics' ? KEY_NOT_FOR_METRICS : KEY_PROBLEMS[fault];
    return unauthorized(problem, request, ASK_FOR_USER_NAME);
  }
  const body = Buffer.from(await service.collectMetrics());
  return { kind: 'answer', body, contentType: METRICS_TYPE, headers: { 'Cache-Control': 'no-store' } };
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
