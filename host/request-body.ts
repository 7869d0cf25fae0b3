// The body of a request of node:http: read when an operation wants it, within a bound, and discarded otherwise.

import type { IncomingMessage } from 'node:http';
import { readInteger } from '../shared/values/numbers';

/**
 * What is discarded of a body that nobody reads, so that the client can finish sending and sees the answer. The
 * connection is cut beyond it.
 */
const MAX_DISCARDED_BYTES = 16 * 1024 * 1024;

/** The first room for a body of unknown length. It doubles when it is full. */
const FIRST_ROOM = 16 * 1024;

export interface RequestBody {
  /** Call once. Undefined if the body is longer or does not arrive; then the rest of it waits in the socket. */
  readonly read: (maxBytes: number) => Promise<Uint8Array | undefined>;
  /** Call when the answer is known: the next request on the connection comes after this body. */
  readonly discardRest: () => void;
}

/** Undefined for a request without a body (RFC 9112, section 6.3). Nothing is read from the socket yet. */
export function receiveBody(request: IncomingMessage): RequestBody | undefined {
  const { 'content-length': length, 'transfer-encoding': coding } = request.headers;
  if (length === undefined && coding === undefined) return undefined;
  const announcedBytes = length === undefined ? undefined : readInteger(length);
  return {
    read: (maxBytes) => readBody(request, announcedBytes, maxBytes),
    discardRest: () => {
      discardRest(request);
    },
  };
}

/** Copies each chunk, because many small chunks would take far more memory than their bytes. */
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

function discardRest(request: IncomingMessage): void {
  if (request.readableEnded || request.destroyed) return;
  let bytes = 0;
  request.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes > MAX_DISCARDED_BYTES) request.destroy();
  });
  request.resume();
}
