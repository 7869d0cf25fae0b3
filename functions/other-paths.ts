// Every path that no other function has: the landing page at the root, where the platform allows no route of its own;
// the icon that browsers ask for when they show an answer; and a 404 (D31).

import { httpFunction } from '../shared/http/pipeline/pipeline';

export const otherPathsFunction = httpFunction('OtherPaths', '{*path}', ({ url }) => {
  switch (new URL(url).pathname) {
    case '/':
      return import('../shared/http/pages/landing-page.js').then(({ landingPage }) => {
        return { access: 'open', answer: landingPage };
      });
    case '/favicon.ico':
      return import('../shared/http/pages/page.js').then(({ iconOutcome }) => {
        return { access: 'open', answer: (request, { pages }) => iconOutcome(request, pages) };
      });
    default:
      return undefined;
  }
});
