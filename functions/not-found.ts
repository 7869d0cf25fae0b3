// Every path that no other function has (D31: 404).

import { notFound } from '../shared/http/problem';
import { register } from '../shared/http/register';
import { respond } from '../shared/http/respond';
import { operations } from '../shared/operations/operations';

const paths = operations.map(({ route }) => `/${route}`);

export const notFoundFunction = register({
  name: 'NotFound',
  route: '{*path}',
  handle: (request, service) => respond(request, service, () => Promise.resolve({ problem: notFound(paths) }), false),
});
