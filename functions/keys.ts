// Keys by oneself (D56): the operations, and the page that uses them.

import { httpFunction } from '../shared/http/pipeline/pipeline';

export const keysFunction = httpFunction('Keys', 'v1/Keys/{*path}', (request, service) => {
  return import('../shared/http/v1/keys.js').then(({ findKeysRoute }) => findKeysRoute(request, service));
});

export const keysPageFunction = httpFunction('KeysPage', 'keys', () => {
  return import('../shared/http/pages/keys-page.js').then(({ keysPage }) => ({ access: 'open', answer: keysPage }));
});
