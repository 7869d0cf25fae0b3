// The body of a request of node:http. It is read, within a limit, if an operation needs it; otherwise it is discarded.

import type { IncomingMessage } from 'node:http';
import { BodyIncompleteError } from '../shared/http/pipeline/body-stream';
import { readInteger } from '../shared/values/numbers';

/**
 * The maximum number of bytes of an unread body that are discarded, so that the client can finish sending and then sees
 * the answer. A longer body cuts the connection.
 */
const MAX_DISCARDED_BYTES = 16 * 1024 * 1024;

/** The initial buffer for a body of unknown length. It doubles when it is full. */
const FIRST_ROOM = 16 * 1024;

export interface RequestBody {
  /**
   * Call at most once. Returns undefined if the body is longer than the limit or does not arrive completely. The rest
   * of the body then stays in the socket.
   */
  readonly read: (maxBytes: number) => Promise<Uint8Array | undefined>;
  /** Yields the bytes as they arrive, for bodies that take minutes. Call at most once, and not after `read`. */
  readonly stream: () => AsyncIterable<Uint8Array>;
  /** Whether the body is being read as a stream. */
  readonly isStreamed: () => boolean;
  /**
   * Call this when the answer is ready, because the next request on the connection comes after this body. Resolves when
   * nothing more of the body can arrive. Never rejects.
   */
  readonly discardRest: () => Promise<void>;
}

/** Undefined for a request without a body (RFC 9112, section 6.3). Nothing is read from the socket yet. */
export function receiveBody(request: IncomingMessage): RequestBody | undefined {
  const { 'content-length': length, 'transfer-encoding': coding } = request.headers;
  if (length === undefined && coding === undefined) return undefined;
  const announcedBytes = length === undefined ? undefined : readInteger(length);
  let isStreamed = false;
  return {
    stream: () => {
      isStreamed = true;
      return streamBody(request);
    },
    isStreamed: () => isStreamed,
    read: (maxBytes) => readBody(request, announcedBytes, maxBytes),
    discardRest: () => discardRest(request),
  };
}

/** How long a client may wait for the answer after a streamed body, in milliseconds. */
const ANSWER_MS = 300_000;

async function* streamBody(request: IncomingMessage): AsyncIterable<Uint8Array> {
  try {
    // With `destroyOnReturn: false`, the connection stays open for the answer.
    for await (const chunk of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) yield chunk;
  } catch {
    throw new BodyIncompleteError();
  }
  if (!request.complete) throw new BodyIncompleteError();
  // Nothing is sent on the connection while a submission is checked, so the timeout is extended. Node resets it for the
  // next request.
  request.socket.setTimeout(ANSWER_MS);
}

/** Copies each chunk, because many small chunks would take far more memory than the bytes they contain. */
function readBody(
  request: IncomingMessage,
  announcedBytes: number | undefined,
  maxBytes: number,
): Promise<Uint8Array | undefined> {
  if (announcedBytes !== undefined && announcedBytes > maxBytes) return Promise.resolve(undefined);
  return new Promise((resolve) => {
    let body: Buffer = Buffer.allocUnsafe(announcedBytes ?? Math.min(FIRST_ROOM, maxBytes));
    let bytes = 0;
    const finish = (result: Uint8Array | undefined): void => {
      request.off('data', receive).off('end', end).off('close', abandon).pause();
      resolve(result);
    };
    const receive = (chunk: Buffer): void => {
      if (bytes + chunk.length > maxBytes) {
        finish(undefined);
        return;
      }
      body = makeRoom(body, bytes, chunk.length, maxBytes);
      bytes += chunk.copy(body, bytes);
    };
    const end = (): void => {
      finish(request.complete ? body.subarray(0, bytes) : undefined);
    };
    const abandon = (): void => {
      finish(undefined);
    };
    if (request.destroyed) resolve(undefined);
    else request.on('data', receive).once('end', end).once('close', abandon);
  });
}

function makeRoom(body: Buffer, bytes: number, more: number, maxBytes: number): Buffer {
  if (bytes + more <= body.length) return body;
  const larger = Buffer.allocUnsafe(Math.min(maxBytes, Math.max(2 * body.length, bytes + more)));
  body.copy(larger, 0, 0, bytes);
  return larger;
}

function discardRest(request: IncomingMessage): Promise<void> {
  if (request.readableEnded || request.destroyed) return Promise.resolve();
  return new Promise((resolve) => {
    let bytes = 0;
    request.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes > MAX_DISCARDED_BYTES) request.destroy();
    });
    request.once('end', resolve).once('close', resolve).resume();
  });
}
