// Fragments joined with commas, as they go into JSON lists.

import type { Item } from '../records/record-references';
import type { JoinedFragments } from './port';

/** The separator of joined fragments, as in a JSON list. */
export const COMMA = 0x2c;

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

/** Converts joined fragments to the JSON text of a list. */
export function toListText(fragments: JoinedFragments): string {
  const content = Buffer.allocUnsafe(fragments.byteLength);
  fragments.copyTo(content, 0);
  return `[${content.toString()}]`;
}

/** Parses joined records or lookups. */
export function parseItems(fragments: JoinedFragments): readonly Item[] {
  return JSON.parse(toListText(fragments)) as readonly Item[]; // The loader wrote objects.
}

/** A few milliseconds of parsing. */
const GROUP_BYTES = 256 * 1024;

/**
 * Parses joined records or lookups in groups, so that long work can let other requests run in between. A group ends
 * where the next item starts. An item is recognized by its first member, which is the same in all records and in all
 * lookups of a kind.
 */
export function* parseItemGroups(fragments: JoinedFragments): Generator<readonly Item[]> {
  const content = Buffer.allocUnsafe(fragments.byteLength);
  fragments.copyTo(content, 0);
  const boundary = Buffer.concat([Buffer.from(','), content.subarray(0, content.indexOf(':') + 1)]);
  for (let start = 0; start < content.length;) {
    let end = findBoundary(content, boundary, start + GROUP_BYTES);
    let items = parseList(content.subarray(start, end));
    // The boundary was inside an item, whose lists may have objects with the same first member. Doubling bounds the
    // work.
    while (items === undefined && end < content.length) {
      end = findBoundary(content, boundary, end + (end - start));
      items = parseList(content.subarray(start, end));
    }
    if (items === undefined) throw new Error('stored texts are not a JSON list');
    yield items;
    start = end + 1;
  }
}

/** Parses joined records or lookups group by group, on demand. */
export function* iterateItems(fragments: JoinedFragments): Generator<Item> {
  for (const group of parseItemGroups(fragments)) yield* group;
}

/** Finds the offset of the next comma before an item, or the end. */
function findBoundary(content: Buffer, boundary: Buffer, from: number): number {
  const offset = from < content.length ? content.indexOf(boundary, from) : -1;
  return offset === -1 ? content.length : offset;
}

function parseList(content: Buffer): readonly Item[] | undefined {
  try {
    return JSON.parse(`[${content.toString()}]`) as readonly Item[]; // The loader wrote objects.
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
