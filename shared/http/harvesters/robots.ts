// GET /robots.txt (RFC 9309).

import { downloads } from '../../query/operations';
import { answerFile, createContent } from '../pages/page-answers';
import { getPageAddresses } from '../pages/page-files';
import type { Outcome } from '../pipeline/outcome';
import type { HttpRequest, Service } from '../pipeline/service';

/** Crawlers may fetch the pages of features if these need no key, but may never send queries. */
export function answerRobots(request: HttpRequest, service: Service): Promise<Outcome> {
  const { access, publicUrl, pages } = service;
  const { base } = getPageAddresses(service);
  const areOpen = access.limits.hasOpenPages || access.limits.answersWithoutKey;
  const lines = [
    'User-agent: *',
    ...(access.limits.hasOpenPages ? [`Allow: ${base}/${downloads.route}/*/things.jsonl.gz`] : []),
    `Disallow: ${base}/v1/`,
    ...(areOpen ? listClosedPaths(base) : [`Disallow: ${base}/ogc/`]),
    ...(areOpen && publicUrl !== '' ? ['', `Sitemap: ${publicUrl}/sitemap.xml`] : []),
  ];
  return answerFile(request, createContent(`${lines.join('\n')}\n`, 'text/plain; charset=utf-8'), pages);
}

/**
 * Lists the rules for paths below /ogc. Tiles and lists of items are disallowed, because they have as many addresses as
 * queries do. A single feature has only a few.
 */
function listClosedPaths(base: string): readonly string[] {
  const formats = ['html', 'json', 'jsonld'].map((format) => `Allow: ${base}/ogc/collections/*/items/*?f=${format}$`);
  return [...formats, `Disallow: ${base}/ogc/*?`, `Disallow: ${base}/ogc/collections/*/tiles/`];
}
