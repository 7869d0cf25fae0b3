// Converts bodies for the platform's library. The library does not wait when the host's response is full, so a slow
// reader of an export would fill the memory with unsent chunks.

import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { ReadableStream } from 'node:stream/web';

/**
 * Returns a web stream, because the library copies a body of bytes. `response` is the response that the library writes
 * to. It is undefined if the host does not stream HTTP; the stream then cannot wait.
 */
export function toPlatformBody(
  body: Uint8Array | Readable,
  response: ServerResponse | undefined,
): ReadableStream<Uint8Array> {
  if (!(body instanceof Readable)) return ReadableStream.from([body]);
  // Our streams consist of bytes.
  if (response === undefined) return Readable.toWeb(body) as ReadableStream<Uint8Array>;
  return ReadableStream.from(waitBetweenChunks(body, response));
}

/**
 * The library requests a chunk after it has written the previous one. If the body ends early, the connection is cut, so
 * that nobody mistakes a partial answer for a complete one.
 */
async function* waitBetweenChunks(body: Readable, response: ServerResponse): AsyncGenerator<Uint8Array> {
  try {
    // Our streams consist of bytes.
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

/** Also resolves when the connection is closed, because no drain event follows then. */
async function waitForDrain(response: ServerResponse): Promise<void> {
  const ended = new AbortController();
  const { signal } = ended;
  await Promise.race([once(response, 'drain', { signal }), once(response, 'close', { signal })]).finally(() => {
    ended.abort();
  });
}
