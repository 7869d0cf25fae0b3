import { checkHealth } from '../shared/http/health';
import { openFunction } from '../shared/http/respond';

export const healthFunction = openFunction('Health', 'health', (_, service) => checkHealth(service));
