// Content negotiation: the format by Accept, compression by Accept-Encoding (RFC 9110, section 12.5; ADR 0047), digests by
// Want-Content-Digest and Want-Repr-Digest (RFC 9530, D58).

import { hash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { MEDIA_TYPES, type MediaFormat } from '../../values/media-types';
import { readNumber } from '../../values/numbers';
import type { HeaderFields } from './outcome';

interface Preference {
  /** A media range or a content coding in lower case, without parameters. */
  readonly name: string;
  /** From 0 to 1; 0 refuses. */
  readonly weight: number;
}

/** Browsers send a dozen preferences. Those beyond the bound are ignored. */
const MAX_PREFERENCES = 100;

/** The preferences in the order of the header. Time and memory are linear in its length. */
export function readPreferences(header: string): readonly Preference[] {
  return header
    .split(',', MAX_PREFERENCES)
    .map((element): Preference => {
      const [name = '', ...parameters] = element.split(';').map((part) => part.trim().toLowerCase());
      const weight = parameters.find((parameter) => parameter.startsWith('q='));
      return { name, weight: weight === undefined ? 1 : parseWeight(weight.slice(2)) };
    })
    .filter(({ name }) => name !== '');
}

/** A weight that cannot be parsed is ignored. */
function parseWeight(text: string): number {
  const value = readNumber(text);
  return value === undefined || value < 0 || value > 1 ? 1 : value;
}

/** The format with the highest weight, then the most exact name, then the earliest. Undefined if none matches. */
export function negotiateFormat<Format extends MediaFormat>(
  accept: string | null,
  formats: readonly Format[],
): Format | undefined {
  const preferences = readPreferences(accept ?? '');
  if (preferences.length === 0) return formats[0];
  const matches = formats.map((format) => ({
    format,
    ...matchMediaType(MEDIA_TYPES[format], preferences),
  }));
  const [best] = matches
    .filter(({ weight }) => weight > 0)
    .sort((a, b) => b.weight - a.weight || b.exactness - a.exactness || a.position - b.position);
  return best?.format;
}

const NO_MATCH = { weight: 0, exactness: 0, position: 0 };

/** The most exact preference decides, not the one with the highest weight. */
function matchMediaType(mediaType: string, preferences: readonly Preference[]): typeof NO_MATCH {
  return preferences
    .map(({ name, weight }, position) => ({ weight, exactness: getExactness(name, mediaType), position }))
    .reduce((best, match) => (match.exactness > best.exactness ? match : best), NO_MATCH);
}

/** 3 for the media type itself, 2 for its type with any subtype, 1 for anything. */
function getExactness(range: string, mediaType: string): number {
  if (range === mediaType) return 3;
  if (range === `${mediaType.slice(0, mediaType.indexOf('/'))}/*`) return 2;
  // The HTTP client of Java's standard library sends a single star.
  return range === '*/*' || range === '*' ? 1 : 0;
}

export type ContentCoding = 'br' | 'gzip';

/** Brotli is cheaper and smaller here, so it wins a tie. */
const CODINGS: readonly ContentCoding[] = ['br', 'gzip'];

/** Compressing a smaller body would save no packets worth the time. */
const MIN_BYTES = 4096;

// The lowest levels. Measured on pages of 1,000 records, higher levels cost more time than they save.
const BROTLI = {
  params: { [constants.BROTLI_PARAM_QUALITY]: 1, [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT },
};
const GZIP = { level: 3 };

const compressBrotli = promisify(brotliCompress);
const compressGzip = promisify(gzip);

/** Undefined if the body should be sent uncompressed. */
export function negotiateCoding(acceptEncoding: string | null): ContentCoding | undefined {
  const preferences = readPreferences(acceptEncoding ?? '');
  const plain = preferences.find(({ name }) => name === 'identity')?.weight ?? 0;
  const [best] = CODINGS.map((coding) => ({ coding, weight: getCodingWeight(coding, preferences) }))
    .filter(({ weight }) => weight > 0 && weight >= plain)
    .sort((a, b) => b.weight - a.weight);
  return best?.coding;
}

function getCodingWeight(coding: ContentCoding, preferences: readonly Preference[]): number {
  const named = preferences.find(({ name }) => name === coding) ?? preferences.find(({ name }) => name === '*');
  return named?.weight ?? 0;
}

export interface EncodedBody {
  readonly body: Buffer;
  readonly headers: HeaderFields;
}

/** Compresses in one of Node's threads. Leaves a small body as it is. */
export async function encodeBody(body: Buffer, coding: ContentCoding | undefined): Promise<EncodedBody> {
  if (coding === undefined || body.length < MIN_BYTES) return { body, headers: {} };
  const coded = coding === 'br' ? await compressBrotli(body, BROTLI) : await compressGzip(body, GZIP);
  return { body: coded, headers: { 'Content-Encoding': coding } };
}

/** MD5 is for crawlers, which compare it with the digest that their storage reports for a copy. */
const DIGESTS = [
  { name: 'sha-256', algorithm: 'sha256' },
  { name: 'md5', algorithm: 'md5' },
] as const;

/** The digests of a complete body, if the client asked for them. Content and representation are the same here. */
export function buildDigestHeaders(
  body: Buffer,
  requestHeaders: { readonly get: (name: string) => string | null },
): HeaderFields {
  const formatDigests = (header: string | null): string | undefined => {
    if (header === null) return undefined;
    const named = DIGESTS.filter(({ name }) => includesDigest(header, name));
    // A client that asks only for other algorithms gets the first one, which RFC 9530 allows.
    const chosen = named.length === 0 ? DIGESTS.slice(0, 1) : named;
    return chosen.map(({ name, algorithm }) => `${name}=:${hash(algorithm, body, 'base64')}:`).join(', ');
  };
  const content = formatDigests(requestHeaders.get('want-content-digest'));
  const representation = formatDigests(requestHeaders.get('want-repr-digest')) ?? content;
  return {
    ...(content === undefined ? {} : { 'Content-Digest': content }),
    ...(representation === undefined ? {} : { 'Repr-Digest': representation }),
  };
}

/** Whether a dictionary of algorithms names this one with a weight other than 0, which refuses it. */
function includesDigest(header: string, algorithm: string): boolean {
  const members = header.toLowerCase().split(',', MAX_PREFERENCES);
  return members.some((member) => {
    const [name = '', weight] = member.split('=').map((part) => part.trim());
    return name === algorithm && weight !== '0';
  });
}
