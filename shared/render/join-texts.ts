// Joins the texts of a page into a body of limited size (ADR 0054).

import { getCurrentDeadline, giveWayIfSliceOver } from '../store/deadline';
import { ByteWriter } from '../values/bytes/byte-writer';

export type WrittenPage =
  | { readonly kind: 'body'; readonly body: Buffer }
  /** The number of records from the first on that fit. */
  | { readonly kind: 'too large'; readonly fittingCount: number };

/** Strings that are written in steps. An undefined item marks a step without a string, such as parsing. */
export type TextSteps = Iterable<string | undefined>;

export interface JoinBounds {
  readonly separator: string;
  readonly maxBytes: number;
}

export interface JoinedTexts {
  /** The bytes, in chunks of about a megabyte, because a single buffer would be copied each time it grows. */
  readonly chunks: readonly Buffer[];
  readonly count: number;
  /** False if a string was left out. */
  readonly isComplete: boolean;
}

/**
 * Joins strings until they exceed the limit, without counting separators. Each string is copied into the body
 * immediately: thousands of strings that live until the end would cost more to collect than to create. Gives way to
 * other requests between steps. Throws DeadlinePassedError.
 */
export async function joinTexts(steps: TextSteps, { separator, maxBytes }: JoinBounds): Promise<JoinedTexts> {
  const deadline = getCurrentDeadline();
  const chunks: Buffer[] = [];
  let writer = new ByteWriter(INITIAL_BYTES);
  let count = 0;
  let countedBytes = 0;
  for (const text of steps) {
    if (deadline.isSliceOver()) await deadline.giveWay();
    if (text === undefined) continue;
    const end = writer.length;
    if (count > 0) writer.text(separator);
    // A string has at least as many bytes as characters, so a string that is too long is not encoded.
    countedBytes += text.length > maxBytes ? text.length : writer.text(text);
    if (countedBytes > maxBytes) {
      writer.truncate(end);
      return { chunks: [...chunks, writer.bytes()], count, isComplete: false };
    }
    count++;
    if (writer.length >= CHUNK_BYTES) {
      chunks.push(writer.bytes());
      writer = new ByteWriter(CHUNK_BYTES + INITIAL_BYTES);
    }
  }
  return { chunks: [...chunks, writer.bytes()], count, isComplete: true };
}

/** Large enough for a small page; the buffer doubles for larger ones. */
const INITIAL_BYTES = 64 * 1024;

/** Takes a few milliseconds to fill. */
const CHUNK_BYTES = 1024 * 1024;

/** Copies chunks into one buffer. Gives way between them. Throws DeadlinePassedError. */
export async function joinChunks(chunks: readonly Uint8Array[]): Promise<Buffer> {
  const body = Buffer.allocUnsafe(chunks.reduce((sum, { length }) => sum + length, 0));
  let offset = 0;
  for (const chunk of chunks) {
    await giveWayIfSliceOver();
    body.set(chunk, offset);
    offset += chunk.length;
  }
  return body;
}

/** Returns a body with the joined strings between `before` and `after`, or "too large" if a string was left out. */
export async function encloseTexts(before: string, texts: JoinedTexts, after: string): Promise<WrittenPage> {
  if (!texts.isComplete) return { kind: 'too large', fittingCount: texts.count };
  return { kind: 'body', body: await joinChunks([Buffer.from(before), ...texts.chunks, Buffer.from(after)]) };
}
