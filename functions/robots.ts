import { httpFunction } from '../shared/http/pipeline/pipeline';

export const robotsFunction = httpFunction('Robots', 'robots.txt', () => {
  return import('../shared/http/pages/sitemap.js').then(({ robotsFile }) => ({ access: 'open', answer: robotsFile }));
});
