// Records stand in the order of their identifiers, by UTF-8 bytes (D17). So those within an interval, or with texts
// that begin alike, follow one another, and both ends are found by bisection: some twenty texts are read, however many
// records there are.

import type { TextEnd, TextTest } from '../../query/condition';
import { currentDeadline } from '../../store/deadline';
import { numberAt } from '../../values/numbers';
import { compareUtf8 } from '../../values/text';
import { beginningOfPattern } from './text-matcher';

/** Records of which none but the given ones can meet a test; where it is exact, each of them does. */
export interface Narrowed {
  readonly numbers: Uint32Array;
  readonly isExact: boolean;
}

/** `numbers` are ascending, and so are their texts. */
export async function narrowedByOrder(
  numbers: Uint32Array,
  test: TextTest,
  textOf: (record: number) => Promise<string>,
): Promise<Narrowed> {
  if (test.isFolded || test.kind === 'one of' || test.kind === 'contains') return { numbers, isExact: false };
  if (test.kind === 'between') {
    const from = await firstThat(numbers, textOf, (text) => isAbove(text, test.least));
    const to = await firstThat(numbers, textOf, (text) => !isBelow(text, test.most));
    return { numbers: numbers.subarray(from, Math.max(from, to)), isExact: true };
  }
  const { text: beginning, isAllOfIt } = beginningOfPattern(test.pattern);
  const from = await firstThat(numbers, textOf, (text) => compareUtf8(text, beginning) >= 0);
  const to = await firstThat(
    numbers,
    textOf,
    (text) => compareUtf8(text, beginning) > 0 && !text.startsWith(beginning),
  );
  return { numbers: numbers.subarray(from, to), isExact: isAllOfIt };
}

function isAbove(text: string, least: TextEnd | undefined): boolean {
  if (least === undefined) return true;
  const order = compareUtf8(text, least.value);
  return order > 0 || (order === 0 && least.isIncluded);
}

function isBelow(text: string, most: TextEnd | undefined): boolean {
  if (most === undefined) return true;
  const order = compareUtf8(text, most.value);
  return order < 0 || (order === 0 && most.isIncluded);
}

/** The index of the first record whose text is so, as all behind it are; that behind the last where none is. */
async function firstThat(
  numbers: Uint32Array,
  textOf: (record: number) => Promise<string>,
  isSo: (text: string) => boolean,
): Promise<number> {
  let [low, high] = [0, numbers.length];
  while (low < high) {
    currentDeadline().check();
    const middle = (low + high) >>> 1;
    if (isSo(await textOf(numberAt(numbers, middle)))) high = middle;
    else low = middle + 1;
  }
  return low;
}
