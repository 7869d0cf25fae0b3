// For Prometheus (ADR 0056), with a key that may read it.

import { dataMetrics, METRICS_TYPE } from '../shared/http/operating/metrics';
import { httpFunction } from '../shared/http/pipeline/pipeline';

export const metricsFunction = httpFunction('Metrics', 'metrics', {
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
});
