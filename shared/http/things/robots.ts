// GET /robots.txt (RFC 9309): crawlers may follow the pages of things where these need no key, and never the
// operations, whose queries have no end.

import { digestNameOf } from '../../values/digest';
import { pageAddresses } from '../pages/page-files';
import { fileOutcome } from '../pages/page-outcome';
import type { Outcome } from '../pipeline/outcome';
import type { AskedRequest, Service } from '../pipeline/service';

export function robotsFile(request: AskedRequest, service: Service): Promise<Outcome> {
  const { access, publicUrl, pages } = service;
  const { base } = pageAddresses(service);
  const areOpen = access.answersWithoutKey;
  const lines = [
    'User-agent: *',
    `Disallow: ${base}/v1/`,
    ...(areOpen ? closedPaths(base) : [`Disallow: ${base}/ogc/`]),
    ...(areOpen && publicUrl !== '' ? ['', `Sitemap: ${publicUrl}/sitemap.xml`] : []),
  ];
  const text = `${lines.join('\n')}\n`;
  const file = { body: Buffer.from(text), contentType: 'text/plain; charset=utf-8', digest: digestNameOf(text) };
  return fileOutcome(request, file, pages);
}

/** Lists of items and tiles are as endless as queries. */
function closedPaths(base: string): readonly string[] {
  return [`Disallow: ${base}/ogc/*?`, `Disallow: ${base}/ogc/collections/*/tiles/`];
}
