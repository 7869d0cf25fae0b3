// Reads records or lookups by number, in any order.

import type { Item } from '../../records/record-references';
import { parseItems } from '../../store/joined-fragments';
import type { ReleaseReader, TextFamily } from '../../store/port';
import { numberAt } from '../../values/number-arrays';

/** Returns the items keyed by number. */
export async function readItems(
  reader: ReleaseReader,
  family: TextFamily,
  numbers: readonly number[],
): Promise<ReadonlyMap<number, Item>> {
  if (numbers.length === 0) return new Map();
  const ascending = Uint32Array.from(new Set(numbers)).sort();
  const items = parseItems(await reader.texts(family, ascending));
  return new Map(items.map((item, index) => [numberAt(ascending, index), item]));
}

/** Returns the text of a member; null if the member is missing or not a text. */
export function getText(item: Item | undefined, member: string): string | null {
  const value = item?.[member];
  return typeof value === 'string' ? value : null;
}
