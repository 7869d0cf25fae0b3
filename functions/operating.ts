// What monitoring asks: health, and metrics for Prometheus (ADR 0056), with a key that may read them.

import { checkHealth } from '../shared/http/operating/health';
import { dataMetrics, METRICS_TYPE } from '../shared/http/operating/metrics';
import { NOT_READY, notReady, refused } from '../shared/http/pipeline/outcome';
import type { Route } from '../shared/http/pipeline/pipeline';

export const healthRoute: Route = {
  access: 'open',
  answer: async (_, service) => {
    const health = await checkHealth(service);
    if (health.kind === 'not ready') {
      return refused(health.unreadable.length === 0 ? NOT_READY : notReady(health.unreadable));
    }
    const headers = { 'Data-Version': health.dataVersion, 'Cache-Control': 'no-store' };
    return { kind: 'answer', body: Buffer.from(health.document), contentType: 'application/json', headers };
  },
};

export const metricsRoute: Route = {
  access: 'metrics key',
  answer: async (_, service) => {
    // Without the store the counts are answered all the same: they say what fails.
    const data = dataMetrics(service.store).catch((error: unknown) => {
      service.logError('the metrics of the data cannot be read', error);
      return '';
    });
    const body = Buffer.from(`${await service.collectMetrics()}\n${await data}`);
    return { kind: 'answer', body, contentType: METRICS_TYPE, headers: { 'Cache-Control': 'no-store' } };
  },
};
