// Answers with content that already exists, such as a page of the service.

import { ownBytes } from '../../values/bytes/own-bytes';
import { digestContent } from '../../values/digest';
import { formatEntityTag, matchEntityTags } from './conditional-requests';
import { type ContentCoding, encodeBody, type EncodedBody, negotiateCoding } from './negotiation';
import type { Outcome } from './outcome';
import type { HttpRequest, PageCache, PageContent } from './service';

/** Answers with a page or a file. `policy` is its content security policy (ADR 0045). */
export async function contentOutcome(
  { headers: requestHeaders }: HttpRequest,
  content: PageContent,
  { policy, caching }: { readonly policy: string; readonly caching: string },
  pages: PageCache,
): Promise<Outcome> {
  const coding = negotiateCoding(requestHeaders.get('accept-encoding'));
  const digest = coding === undefined ? content.digest : digestContent(`${content.digest} ${coding}`);
  const headers = {
    'Content-Security-Policy': policy,
    ETag: formatEntityTag(digest, content.body.length),
    'Cache-Control': caching,
    Vary: 'Accept-Encoding',
  };
  if (matchEntityTags(requestHeaders.get('if-none-match') ?? '', digest) !== undefined) {
    return { kind: 'no body', status: 304, headers };
  }
  const encoded = await encodeOnce({ ...content, digest }, coding, pages);
  const { contentType } = content;
  return { kind: 'answer', body: encoded.body, contentType, headers: { ...headers, ...encoded.headers } };
}

/** Encodes a page, or gets the encoded page from the cache. The digest identifies the encoded bytes. */
async function encodeOnce(
  content: PageContent,
  coding: ContentCoding | undefined,
  pages: PageCache,
): Promise<EncodedBody> {
  if (coding === undefined) return { body: content.body, headers: {} };
  const key = `${coding} ${content.digest}`;
  const cachedBody = (coding === 'br' ? content.brotli : undefined) ?? pages.get(key)?.body;
  if (cachedBody !== undefined) return { body: cachedBody, headers: { 'Content-Encoding': coding } };
  const encoded = await encodeBody(content.body, coding);
  if (encoded.body !== content.body) {
    pages.set(key, { ...content, body: ownBytes(encoded.body) }, encoded.body.length);
  }
  return encoded;
}
