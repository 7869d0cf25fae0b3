import { openApi } from '../shared/http/pages/documentation';
import { httpFunction } from '../shared/http/pipeline/pipeline';

export const openApiFunction = httpFunction('OpenApi', 'openapi.json', { access: 'open', answer: openApi });
