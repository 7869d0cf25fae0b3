// Every path that no other function has: the landing page at the root, where the platform allows no route of its own; the icon that
// browsers ask for when they show an answer; and a 404 (D31).

import { UNKNOWN_PATH } from '../shared/http/problem';
import { register } from '../shared/http/register';
import { respond } from '../shared/http/respond';
import { landingPage } from '../shared/http/pages/landing-page';
import { iconOutcome } from '../shared/http/pages/page-outcome';

export const otherPathsFunction = register({
  name: 'OtherPaths',
  route: '{*path}',
  handle: (request, service) => {
    switch (new URL(request.url).pathname) {
      case '/':
        return respond(request, service, () => landingPage(request, service));
      case '/favicon.ico':
        return respond(request, service, () => iconOutcome(request));
      default:
        return respond(request, service, () => Promise.resolve({ problem: UNKNOWN_PATH }), false);
    }
  },
});
