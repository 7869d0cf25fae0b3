// Joins the texts that a page is written from into a body of bounded size (ADR 0054).

import { ByteWriter } from '../values/bytes/byte-writer';

export type WrittenPage =
  | { readonly kind: 'body'; readonly body: Buffer }
  /** So many records from the first one on fit. */
  | { readonly kind: 'too large'; readonly fittingCount: number };

export interface JoinBounds {
  readonly separator: string;
  readonly maxBytes: number;
  /** So many bytes of each text do not count. */
  readonly uncounted?: number;
}

export interface JoinedTexts {
  readonly bytes: Buffer;
  readonly count: number;
  /** Whether no text was left out. */
  readonly isComplete: boolean;
}

/**
 * As many of the texts as are within the bound, with separators between them. Each text is written when it is made:
 * thousands of strings that live on until they are joined would take longer to collect than to make.
 */
export function joinTexts(texts: Iterable<string>, { separator, maxBytes, uncounted = 0 }: JoinBounds): JoinedTexts {
  const body = new ByteWriter(INITIAL_BYTES);
  let count = 0;
  let counted = 0;
  let end = 0;
  for (const text of texts) {
    if (count > 0) body.text(separator);
    counted += body.text(text) - uncounted;
    if (counted > maxBytes) return { bytes: body.bytes(0, end), count, isComplete: false };
    end = body.length;
    count++;
  }
  return { bytes: body.bytes(), count, isComplete: true };
}

/** A small page; memory is doubled for others. */
const INITIAL_BYTES = 64 * 1024;

/** A body of the texts between two others; too large where they are not within the bound. */
export function encloseTexts(before: string, texts: JoinedTexts, after: string): WrittenPage {
  if (!texts.isComplete) return { kind: 'too large', fittingCount: texts.count };
  return { kind: 'body', body: Buffer.concat([Buffer.from(before), texts.bytes, Buffer.from(after)]) };
}
