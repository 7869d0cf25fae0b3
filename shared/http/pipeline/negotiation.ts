// Content negotiation: the format by Accept, compression by Accept-Encoding (RFC 9110, section 12.5; ADR 0047), and
// digests by Want-Content-Digest and Want-Repr-Digest (RFC 9530, D58).

import { hash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { MEDIA_TYPES, type MediaFormat } from '../../values/media-types';
import { readNumber } from '../../values/numbers';
import type { HeaderFields } from './outcome';

interface Preference {
  /** A media range or a content coding in lower case, without parameters. */
  readonly name: string;
  /** From 0 to 1. 0 means not acceptable. */
  readonly weight: number;
}

/** Browsers send about a dozen preferences. Preferences beyond this limit are ignored. */
const MAX_PREFERENCES = 100;

/** Returns the preferences in the order of the header. Time and memory are linear in the length of the header. */
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

/** Returns the default weight, 1, if the weight cannot be parsed. */
function parseWeight(text: string): number {
  const value = readNumber(text);
  return value === undefined || value < 0 || value > 1 ? 1 : value;
}

/**
 * Returns the format with the highest weight, then the most specific match, then the earliest position. Undefined if no
 * format matches.
 */
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

/** The most specific preference decides, not the one with the highest weight. */
function matchMediaType(mediaType: string, preferences: readonly Preference[]): typeof NO_MATCH {
  return preferences
    .map(({ name, weight }, position) => ({ weight, exactness: getExactness(name, mediaType), position }))
    .reduce((best, match) => (match.exactness > best.exactness ? match : best), NO_MATCH);
}

/** Returns 3 for the media type itself, 2 for its type with any subtype, and 1 for any type. */
function getExactness(range: string, mediaType: string): number {
  if (range === mediaType) return 3;
  if (range === `${mediaType.slice(0, mediaType.indexOf('/'))}/*`) return 2;
  // The HTTP client of Java's standard library sends a single star.
  return range === '*/*' || range === '*' ? 1 : 0;
}

export type ContentCoding = 'br' | 'gzip';

/** Brotli is cheaper and smaller here, so it is first and wins a tie. */
const CODINGS: readonly ContentCoding[] = ['br', 'gzip'];

/** Compressing a smaller body would not save enough packets to be worth the time. */
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

/** Compresses the body in one of Node's threads. Returns a small body as it is. */
export async function encodeBody(body: Buffer, coding: ContentCoding | undefined): Promise<EncodedBody> {
  if (coding === undefined || body.length < MIN_BYTES) return { body, headers: {} };
  const coded = coding === 'br' ? await compressBrotli(body, BROTLI) : await compressGzip(body, GZIP);
  return { body: coded, headers: { 'Content-Encoding': coding } };
}

/** MD5 is for crawlers, which compare it with the digest that their storage reports for their copy. */
const DIGESTS = [
  { name: 'sha-256', algorithm: 'sha256' },
  { name: 'md5', algorithm: 'md5' },
] as const;

/** Builds the digests of a complete body if the client asked for them. Content and representation are the same here. */
export function buildDigestHeaders(
  body: Buffer,
  requestHeaders: { readonly get: (name: string) => string | null },
): HeaderFields {
  const formatDigests = (header: string | null): string | undefined => {
    if (header === null) return undefined;
    const named = DIGESTS.filter(({ name }) => includesDigest(header, name));
    // A client that asks only for other algorithms gets the first digest, as RFC 9530 allows.
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

/**
 * Whether a header with a dictionary of algorithms contains this one, with a weight other than 0. A weight of 0 means
 * not acceptable.
 */
function includesDigest(header: string, algorithm: string): boolean {
  const members = header.toLowerCase().split(',', MAX_PREFERENCES);
  return members.some((member) => {
    const [name = '', weight] = member.split('=').map((part) => part.trim());
    return name === algorithm && weight !== '0';
  });
}
