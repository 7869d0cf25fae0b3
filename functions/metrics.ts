// For Prometheus (ADR 0056), with a key that may read it.

import { METRICS_TYPE } from '../shared/http/operating/metrics';
import { httpFunction } from '../shared/http/pipeline/pipeline';

export const metricsFunction = httpFunction('Metrics', 'metrics', {
  access: 'metrics key',
  answer: async (_, service) => {
    const body = Buffer.from(await service.collectMetrics());
    return { kind: 'answer', body, contentType: METRICS_TYPE, headers: { 'Cache-Control': 'no-store' } };
  },
});
