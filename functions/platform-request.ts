// The platform's request in the form that the service needs: its body as a stream, and its address before the front end
// changed it.

import type { ReadableStream } from 'node:stream/web';
import { BodyIncompleteError } from '../shared/http/pipeline/body-stream';
import type { HttpRequest } from '../shared/http/pipeline/service';
import { decodeEscapes } from '../shared/query/query-string';

/**
 * Returns undefined for a body that is longer than `maxBytes`, and stops reading there. The stream is not canceled,
 * because that would close the connection on which the host waits for the answer. The host discards the rest of the
 * body once it has the answer.
 */
export async function readBodyStream(
  body: ReadableStream<Uint8Array> | null,
  maxBytes: number,
): Promise<Uint8Array | undefined> {
  if (body === null) return new Uint8Array();
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  const reader = body.getReader();
  try {
    for (let read = await reader.read(); !read.done; read = await reader.read()) {
      bytes += read.value.length;
      if (bytes > maxBytes) return undefined;
      chunks.push(read.value);
    }
  } finally {
    reader.releaseLock();
  }
  return Buffer.concat(chunks);
}

/** Yields the body as it arrives. The stream is not canceled here either. */
export async function* streamBody(body: ReadableStream<Uint8Array> | null): AsyncIterable<Uint8Array> {
  if (body === null) return;
  const reader = body.getReader();
  try {
    for (let read = await reader.read(); !read.done; read = await reader.read()) yield read.value;
  } catch {
    throw new BodyIncompleteError();
  } finally {
    reader.releaseLock();
  }
}

/** The header in which the front end of Azure App Service passes on the address as the client sent it. */
const RAW_ADDRESS = 'x-waws-unencoded-url';

/** More rounds of decoding than a front end and a host ever apply. */
const MAX_DECODED = 4;

/**
 * Restores the path as the client sent it. The front end decodes `%2F` in paths before routing, which splits
 * identifiers that contain slashes. A client could also send this header, so it is used only if it decodes to the same
 * path.
 */
export function restoreAddress({ url, headers }: Pick<HttpRequest, 'url' | 'headers'>): string {
  const [rawPath = ''] = (headers.get(RAW_ADDRESS) ?? '').replace(/^https?:\/\/[^/?#]*/i, '').split(/[?#]/, 1);
  const { origin, pathname } = new URL(url);
  if (!rawPath.startsWith('/') || decodeFully(rawPath) !== decodeFully(pathname)) return url;
  // The query is taken from the address as a string, because the routes parse it strictly.
  const queryStart = url.indexOf('?');
  return `${origin}${rawPath}${queryStart === -1 ? '' : url.slice(queryStart)}`;
}

function decodeFully(path: string): string {
  let decoded = path;
  for (let round = 0; round < MAX_DECODED; round++) decoded = decodeEscapes(decoded) ?? decoded;
  return decoded;
}
