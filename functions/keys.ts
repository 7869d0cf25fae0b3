// Self-service keys (D56): challenges, requests and claims below /v1/Keys, open to anyone, and the caller's own key at
// /v1/Keys/Own. All are 404 unless the operator allows self-service keys.

import { httpFunction } from '../shared/http/pipeline/pipeline';
import { findKeysRoute } from '../shared/http/v1/keys';

export const keysFunction = httpFunction({
  name: 'Keys',
  route: 'v1/Keys/{*path}',
  routes: [{ name: 'Keys', path: 'v1/Keys/{*path}', route: findKeysRoute }],
});
