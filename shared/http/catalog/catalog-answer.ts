// A JSON answer about what a catalog state publishes, such as the inventory: its tag stands for its bytes.

import type { CatalogEntry, CatalogState } from '../../store/catalog-types';
import { digestNameOf } from '../../values/digest';
import { entityTag, matchEntityTags } from '../conditional-requests';
import { linkHeader, termsLinks } from '../outcome/links';
import { encodeBody, negotiateCoding } from '../outcome/negotiation';
import type { Outcome } from '../outcome/outcome';
import type { AskedRequest } from '../service';

/** `entries` are those that the text is about. */
export async function answerFromCatalog(
  text: string,
  { version }: CatalogState,
  entries: readonly CatalogEntry[],
  sent: AskedRequest['headers'],
): Promise<Outcome> {
  const coding = negotiateCoding(sent.get('accept-encoding'));
  const digest = digestNameOf(JSON.stringify([digestNameOf(text), coding ?? 'identity']));
  const headers = {
    'Data-Version': version,
    'Cache-Control': 'private, no-cache',
    Vary: 'Accept-Encoding',
    ETag: entityTag(digest, entries.length),
    ...linkHeader(termsLinks(entries)),
  };
  if (matchEntityTags(sent.get('if-none-match') ?? '', digest) !== undefined) return { kind: 'not modified', headers };
  const coded = await encodeBody(Buffer.from(text), coding);
  const contentType = 'application/json';
  return { kind: 'answer', body: coded.body, contentType, headers: { ...headers, ...coded.headers } };
}
