import { openApi } from '../shared/http/pages/documentation';
import { openFunction } from '../shared/http/respond';

export const openApiFunction = openFunction('OpenApi', 'openapi.json', openApi);
