import { httpFunction } from '../shared/http/pipeline/pipeline';

export const openApiFunction = httpFunction('OpenApi', 'openapi.json', () => {
  return import('../shared/http/pages/script-pages.js').then(({ openApi }) => ({ access: 'open', answer: openApi }));
});
