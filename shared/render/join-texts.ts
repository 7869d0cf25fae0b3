// Joins the texts that a page is written from into a body of bounded size (ADR 0054).

import { getCurrentDeadline } from '../store/deadline';
import { ByteWriter } from '../values/bytes/byte-writer';

export type WrittenPage =
  | { readonly kind: 'body'; readonly body: Buffer }
  /** The number of records, from the first one on, that fit. */
  | { readonly kind: 'too large'; readonly fittingCount: number };

/** Texts that are written in steps. Undefined is a step without a text, such as parsing. */
export type TextSteps = Iterable<string | undefined>;

export interface JoinBounds {
  readonly separator: string;
  readonly maxBytes: number;
}

export interface JoinedTexts {
  readonly bytes: Buffer;
  readonly count: number;
  /** False when a text was left out. */
  readonly isComplete: boolean;
}

/**
 * Joins as many texts as the limit allows; separators do not count. Each text is copied into the body at once:
 * thousands of strings that live until the end would cost more to collect than to create. Between steps it gives way to
 * other requests. Throws DeadlinePassedError.
 */
export async function joinTexts(steps: TextSteps, { separator, maxBytes }: JoinBounds): Promise<JoinedTexts> {
  const deadline = getCurrentDeadline();
  const body = new ByteWriter(INITIAL_BYTES);
  let count = 0;
  let counted = 0;
  let end = 0;
  for (const text of steps) {
    if (deadline.isSliceOver()) await deadline.giveWay();
    if (text === undefined) continue;
    if (count > 0) body.text(separator);
    counted += body.text(text);
    if (counted > maxBytes) return { bytes: body.bytes(0, end), count, isComplete: false };
    end = body.length;
    count++;
  }
  return { bytes: body.bytes(), count, isComplete: true };
}

/** Enough for a small page. The memory doubles for larger ones. */
const INITIAL_BYTES = 64 * 1024;

/** A body of the texts between two others, or too large when a text was left out. */
export function encloseTexts(before: string, texts: JoinedTexts, after: string): WrittenPage {
  if (!texts.isComplete) return { kind: 'too large', fittingCount: texts.count };
  return { kind: 'body', body: Buffer.concat([Buffer.from(before), texts.bytes, Buffer.from(after)]) };
}
