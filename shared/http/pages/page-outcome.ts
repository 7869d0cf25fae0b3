// Pages and their files as HTTP answers: how long browsers may keep them, and what they may do there (ADR 0045).

import { digestNameOf } from '../../values/digest';
import { entityTag, matchEntityTags } from '../pipeline/conditional-requests';
import { encodeBody, negotiateCoding, type ContentCoding, type EncodedBody } from '../pipeline/negotiation';
import type { Outcome } from '../pipeline/outcome';
import type { AskedRequest, PageCache, PageContent } from '../pipeline/service';
import { knownFile, versionOf } from './page-files';
import type { Html } from './page-frame';

/** Our own pages need nothing but their own files, and nobody may frame them. */
const OWN_POLICY: Readonly<Record<string, string>> = {
  'default-src': "'none'",
  'script-src': "'self'",
  'style-src': "'self'",
  'img-src': "'self'",
  'connect-src': "'self'",
  'form-action': "'self'",
  'base-uri': "'none'",
  'frame-ancestors': "'none'",
};

const FILE_POLICY = "default-src 'none'";

/** A script that runs as a worker goes by the policy of its own answer: it may ask this service, and nobody else. */
const WORKER_POLICY = `${FILE_POLICY}; script-src 'self'; connect-src 'self'`;

/** A year, the longest that is meant by "for ever" (RFC 9111 has no such word). */
const FOR_EVER = 'public, max-age=31536000, immutable';

const ASK_AGAIN = 'public, no-cache';

export function contentOf({ text }: Html): PageContent {
  return { body: Buffer.from(text), contentType: 'text/html; charset=utf-8', digest: digestNameOf(text) };
}

/** `more` replaces parts of the content security policy where a page needs more than most. */
export function pageOutcome(
  request: AskedRequest,
  page: PageContent,
  pages: PageCache,
  more: Readonly<Record<string, string>> = {},
): Promise<Outcome> {
  return contentOutcome(request, page, { policy: pagePolicy(more), caching: ASK_AGAIN }, pages);
}

/** The content security policy of a page. */
export function pagePolicy(more: Readonly<Record<string, string>> = {}): string {
  const policy = Object.entries({ ...OWN_POLICY, ...more }).map(([name, value]) => `${name} ${value}`);
  return policy.join('; ');
}

/** A file whose address names its content may be kept; any other is asked for again. */
export function fileOutcome(request: AskedRequest, file: PageContent, pages: PageCache): Promise<Outcome> {
  const isNamed = new URL(request.url).searchParams.get('v') === versionOf(file);
  const caching = isNamed ? FOR_EVER : ASK_AGAIN;
  return contentOutcome(request, file, { policy: FILE_POLICY, caching }, pages);
}

/** A file whose name has the digest of its content in it. */
export function namedFileOutcome(request: AskedRequest, file: PageContent, pages: PageCache): Promise<Outcome> {
  return contentOutcome(request, file, { policy: WORKER_POLICY, caching: FOR_EVER }, pages);
}

export function iconOutcome(request: AskedRequest, pages: PageCache): Promise<Outcome> {
  return fileOutcome(request, knownFile('icon.svg', pages), pages);
}

async function contentOutcome(
  request: AskedRequest,
  content: PageContent,
  { policy, caching }: { readonly policy: string; readonly caching: string },
  pages: PageCache,
): Promise<Outcome> {
  const coding = negotiateCoding(request.headers.get('accept-encoding'));
  const digest = coding === undefined ? content.digest : digestNameOf(`${content.digest} ${coding}`);
  const headers = {
    'Content-Security-Policy': policy,
    ETag: entityTag(digest, content.body.length),
    'Cache-Control': caching,
    Vary: 'Accept-Encoding',
  };
  const known = request.headers.get('if-none-match') ?? '';
  if (matchEntityTags(known, digest) !== undefined) return { kind: 'not modified', headers };
  const encoded = await encodeOnce({ ...content, digest }, coding, pages);
  const { contentType } = content;
  return { kind: 'answer', body: encoded.body, contentType, headers: { ...headers, ...encoded.headers } };
}

/** The digest of the content stands for the encoded bytes. */
async function encodeOnce(
  content: PageContent,
  coding: ContentCoding | undefined,
  pages: PageCache,
): Promise<EncodedBody> {
  if (coding === undefined) return { body: content.body, headers: {} };
  const key = `${coding} ${content.digest}`;
  const cached = pages.get(key);
  if (cached !== undefined) return { body: cached.body, headers: { 'Content-Encoding': coding } };
  const { brotli } = content;
  if (coding === 'br' && brotli !== undefined) return { body: brotli, headers: { 'Content-Encoding': coding } };
  const encoded = await encodeBody(content.body, coding);
  if (encoded.body !== content.body) pages.set(key, { ...content, body: encoded.body }, encoded.body.length);
  return encoded;
}
