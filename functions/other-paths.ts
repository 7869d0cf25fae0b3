// Every path that no other function has: the landing page at the root, where the platform allows no route of its own;
// the icon that browsers ask for when they show an answer; and a 404 (D31).

import { landingPage } from '../shared/http/pages/landing-page';
import { iconOutcome } from '../shared/http/pages/page';
import { refuseUnknownPath, respond } from '../shared/http/respond';
import type { HttpFunction } from '../shared/http/service';

export const otherPathsFunction: HttpFunction = {
  name: 'OtherPaths',
  route: '{*path}',
  handle: (request, service) => {
    switch (new URL(request.url).pathname) {
      case '/':
        return respond(request, service, () => landingPage(request, service));
      case '/favicon.ico':
        return respond(request, service, () => iconOutcome(request, service.pages));
      default:
        return refuseUnknownPath(request, service);
    }
  },
};
