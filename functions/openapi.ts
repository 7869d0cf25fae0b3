import { openApi } from '../shared/http/pages/script-pages';
import { httpFunction } from '../shared/http/pipeline/pipeline';

export const openApiFunction = httpFunction('OpenApi', 'openapi.json', { access: 'open', answer: openApi });
