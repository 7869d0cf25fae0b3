import { pageAccess } from '../shared/http/pipeline/authorize';
import { httpFunction } from '../shared/http/pipeline/pipeline';

/** Whoever may open the pages may read their addresses: without a key where these need none (D51, D57). */
export const sitemapFunction = httpFunction('Sitemap', 'sitemap.xml', (_, service) => {
  return import('../shared/http/pages/sitemap.js').then(({ answerSitemap }) => {
    return { access: pageAccess(service, service.access.answersWithoutKey ? 'open' : 'key'), answer: answerSitemap };
  });
});
