import { answerSitemap } from '../shared/http/pages/sitemap';
import { httpFunction } from '../shared/http/pipeline/pipeline';

/** Whoever may open the pages may read their addresses: without a key where these need none (D51). */
export const sitemapFunction = httpFunction('Sitemap', 'sitemap.xml', (_, { access }) => ({
  access: access.answersWithoutKey ? 'open' : 'key',
  answer: answerSitemap,
}));
