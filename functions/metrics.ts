import { answerMetrics } from '../shared/http/metrics-function';
import { openFunction } from '../shared/http/respond';

export const metricsFunction = openFunction('Metrics', 'metrics', answerMetrics);
