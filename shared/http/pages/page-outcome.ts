// What all pages and their files have in common as HTTP answers: how long they may be kept, and what they may do in a browser.

import { encodeBody, negotiateCoding, type ContentCoding } from '../content-coding';
import { entityTag, heldByTag } from '../entity-tag';
import type { AskedRequest } from '../http-function';
import type { Outcome } from '../respond';
import { ByteBoundedCache } from '../../values/byte-bounded-cache';
import { digestNameOf } from '../../values/digest';
import type { Html } from './html';
import { knownFile, versionOf, type PageFile } from './page-files';

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

/** A year, the longest that is meant by "for ever" (RFC 9111 has no such word). */
const FOR_EVER = 'public, max-age=31536000, immutable';

const ASK_AGAIN = 'public, no-cache';

type Encoded = Awaited<ReturnType<typeof encodeBody>>;

/** By digest. All of them compressed are less than a megabyte. */
const encoded = new ByteBoundedCache<Encoded>(4 * 1024 * 1024);

/** `more` replaces parts of the content security policy where a page needs more than most. */
export function pageOutcome(
  request: AskedRequest,
  page: Html,
  more: Readonly<Record<string, string>> = {},
): Promise<Outcome> {
  const body = Buffer.from(page.text);
  const policy = Object.entries({ ...OWN_POLICY, ...more }).map(([name, value]) => `${name} ${value}`);
  return outcome(
    request,
    { body, contentType: 'text/html; charset=utf-8', digest: digestNameOf(page.text) },
    ASK_AGAIN,
    {
      'Content-Security-Policy': policy.join('; '),
    },
  );
}

/** A file whose address names its content may be kept; any other is asked for again. */
export function fileOutcome(request: AskedRequest, file: PageFile): Promise<Outcome> {
  const isNamed = new URL(request.url).searchParams.get('v') === versionOf(file);
  return outcome(request, file, isNamed ? FOR_EVER : ASK_AGAIN, { 'Content-Security-Policy': "default-src 'none'" });
}

export function iconOutcome(request: AskedRequest): Promise<Outcome> {
  return fileOutcome(request, knownFile('icon.svg'));
}

async function outcome(
  request: AskedRequest,
  { body, contentType, digest }: PageFile,
  cacheControl: string,
  own: Readonly<Record<string, string>>,
): Promise<Outcome> {
  const coding = negotiateCoding(request.headers.get('accept-encoding'));
  const name = coding === undefined ? digest : digestNameOf(`${digest} ${coding}`);
  const headers = {
    ...own,
    ETag: entityTag(name, body.length),
    'Cache-Control': cacheControl,
    Vary: 'Accept-Encoding',
  };
  if (heldByTag(request.headers.get('if-none-match') ?? '', name) !== undefined) return { notModified: headers };
  const coded = await encodedOnce(name, body, coding);
  return { body: coded.body, contentType, headers: { ...headers, ...coded.headers } };
}

async function encodedOnce(name: string, body: Buffer, coding: ContentCoding | undefined): Promise<Encoded> {
  const known = encoded.get(name);
  if (known !== undefined) return known;
  const coded = await encodeBody(body, coding);
  if (coded.body !== body) encoded.set(name, coded, coded.body.length);
  return coded;
}
