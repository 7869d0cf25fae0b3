// Fragments joined with commas, as they go into JSON lists.

import type { Item } from '../records/record-references';
import type { JoinedFragments } from './port';

/** The separator of joined fragments, as in a JSON list. */
export const COMMA = 0x2c;

/** The number of bytes of texts of these lengths, joined with commas. */
export function countJoinedBytes(lengths: Uint32Array): number {
  return lengths.reduce((sum, length) => sum + length, Math.max(0, lengths.length - 1));
}

/** Joins JSON texts with commas. Each text may itself be several fragments joined with commas. */
export function joinJsonTexts(texts: readonly Uint8Array[]): JoinedFragments {
  const commas = Math.max(0, texts.length - 1);
  return {
    byteLength: texts.reduce((sum, text) => sum + text.length, commas),
    copyTo: (target, offset) => {
      let position = offset;
      texts.forEach((text, index) => {
        if (index > 0) {
          target[position] = COMMA;
          position++;
        }
        target.set(text, position);
        position += text.length;
      });
    },
  };
}

/** Joined fragments as the JSON text of a list. */
export function toListText(fragments: JoinedFragments): string {
  const content = Buffer.allocUnsafe(fragments.byteLength);
  fragments.copyTo(content, 0);
  return `[${content.toString()}]`;
}

/** Parses joined records or lookups. */
export function parseItems(fragments: JoinedFragments): readonly Item[] {
  return JSON.parse(toListText(fragments)) as readonly Item[]; // The loader wrote objects.
}
