// Compressed answers, for clients that take them (ADR 0034).

import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { readPreferences, type Preference } from './preferences';

export type ContentCoding = 'br' | 'gzip';

/** The cheaper and smaller one first: it wins where both are wanted equally. */
const CODINGS: readonly ContentCoding[] = ['br', 'gzip'];

/** A body of fewer bytes is sent in so few packets that nothing is gained. */
const MIN_BYTES = 4096;

// The lowest levels: measured on pages of 1,000 records, higher ones cost more than they save.
const BROTLI = {
  params: { [constants.BROTLI_PARAM_QUALITY]: 1, [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT },
};
const GZIP = { level: 3 };

const compressBrotli = promisify(brotliCompress);
const compressGzip = promisify(gzip);

/** Undefined when the body is to be sent as it is. */
export function negotiateCoding(acceptEncoding: string | null): ContentCoding | undefined {
  const preferences = readPreferences(acceptEncoding ?? '');
  const plain = preferences.find(({ name }) => name === 'identity')?.weight ?? 0;
  const wanted = CODINGS.map((coding) => ({ coding, weight: weightFor(coding, preferences) }))
    .filter(({ weight }) => weight > 0 && weight >= plain)
    .sort((a, b) => b.weight - a.weight);
  return wanted[0]?.coding;
}

/** In a thread of its own. */
export async function encodeBody(
  body: Buffer,
  coding: ContentCoding | undefined,
): Promise<{ readonly body: Buffer; readonly headers: Readonly<Record<string, string>> }> {
  if (coding === undefined || body.length < MIN_BYTES) return { body, headers: {} };
  const coded = coding === 'br' ? await compressBrotli(body, BROTLI) : await compressGzip(body, GZIP);
  return { body: coded, headers: { 'Content-Encoding': coding } };
}

function weightFor(coding: ContentCoding, preferences: readonly Preference[]): number {
  const named = preferences.find(({ name }) => name === coding) ?? preferences.find(({ name }) => name === '*');
  return named?.weight ?? 0;
}
