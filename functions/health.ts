import { checkHealth } from '../shared/http/memory/health';
import { openFunction } from '../shared/http/respond';

export const healthFunction = openFunction('Health', 'health', (_, service) => checkHealth(service));
