// The errors of a body that is read as a stream, and its size limit.

/** The body is longer than allowed. */
export class BodyTooLargeError extends Error {
  constructor() {
    super('the body is too large');
  }
}

/** The client stopped sending before the end of the body. */
export class BodyIncompleteError extends Error {
  constructor() {
    super('the body ended early');
  }
}

/** Passes the bytes of a body through. Throws a BodyTooLargeError after `maxBytes`. */
export async function* limitBytes(chunks: AsyncIterable<Uint8Array>, maxBytes: number): AsyncIterable<Uint8Array> {
  let bytes = 0;
  for await (const chunk of chunks) {
    bytes += chunk.length;
    if (bytes > maxBytes) throw new BodyTooLargeError();
    yield chunk;
  }
}
