// Bodies as the platform's library sends them. It writes the chunks of a stream to the response to its host, and does
// not wait when that response is full: a slow reader of an export would fill the memory with the rest of it.

import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { ReadableStream } from 'node:stream/web';

/**
 * A web stream, because the library copies a body of bytes. `response` is what the library writes it to; undefined where
 * the host does not stream HTTP, and then nothing can be waited for.
 */
export function toPlatformBody(
  body: Uint8Array | Readable,
  response: ServerResponse | undefined,
): ReadableStream<Uint8Array> {
  if (!(body instanceof Readable)) return ReadableStream.from([body]);
  if (response === undefined) return Readable.toWeb(body) as ReadableStream<Uint8Array>; // Our streams are of bytes.
  return ReadableStream.from(waitBetweenChunks(body, response));
}

/**
 * The library reads a chunk after it has written the previous one. If the body ends early, the connection is cut, so
 * that nobody mistakes the part for the whole.
 */
async function* waitBetweenChunks(body: Readable, response: ServerResponse): AsyncGenerator<Uint8Array> {
  try {
    // Our streams are of bytes.
    for await (const chunk of body as AsyncIterable<Uint8Array>) {
      yield chunk;
      if (response.writableNeedDrain && !response.closed) await waitForDrain(response);
      if (response.closed) return;
    }
  } catch (error) {
    response.destroy();
    throw error;
  } finally {
    body.destroy();
  }
}

/** Resolves as well when the connection is closed, after which nothing drains. */
async function waitForDrain(response: ServerResponse): Promise<void> {
  const ended = new AbortController();
  const { signal } = ended;
  await Promise.race([once(response, 'drain', { signal }), once(response, 'close', { signal })]).finally(() => {
    ended.abort();
  });
}
