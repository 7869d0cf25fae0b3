// Counters and timings for Prometheus (ADR 0056): GET /metrics. Callers need a key that may read metrics.

import { collectDataMetrics, METRICS_TYPE } from '../shared/http/operating/metrics';
import { httpFunction } from '../shared/http/pipeline/pipeline';
import type { Route } from '../shared/http/pipeline/route';

const metricsRoute: Route = {
  access: 'metrics key',
  answer: async (_, service) => {
    // If the store fails, the process's own metrics are still sent, because they show what fails.
    const data = collectDataMetrics(service.store).catch((error: unknown) => {
      service.logError('the metrics of the data cannot be read', error);
      return '';
    });
    const body = Buffer.from(`${await service.collectMetrics()}\n${await data}`);
    return { kind: 'answer', body, contentType: METRICS_TYPE, headers: { 'Cache-Control': 'no-store' } };
  },
};

export const metricsFunction = httpFunction({
  name: 'Metrics',
  route: 'metrics/{*path}',
  routes: [{ name: 'Metrics', path: 'metrics', route: metricsRoute }],
});
