import { httpFunction } from '../shared/http/pipeline/pipeline';

/** Whoever may open the pages may read their addresses: without a key where these need none (D51). */
export const sitemapFunction = httpFunction('Sitemap', 'sitemap.xml', (_, { access }) => {
  return import('../shared/http/pages/sitemap.js').then(({ answerSitemap }) => {
    return { access: access.answersWithoutKey ? 'open' : 'key', answer: answerSitemap };
  });
});
