import { openApi } from '../shared/http/pages/script-pages';
import { openFunction } from '../shared/http/respond';

export const openApiFunction = openFunction('OpenApi', 'openapi.json', openApi);
