// The values of a column, one slot after the other, with the levels by which Parquet tells rows, nulls and lists apart.
// They lie in memory that the next column uses again: V8 lets tens of megabytes of short-lived buffers stand.

import { numberAt } from '../values/numbers';
import type { ColumnCodes, EntryLists } from './column-values';

export interface ColumnSlots {
  /** 0 for null, else the index of a dictionary's value plus one. */
  readonly codes: Uint32Array;
  readonly definitions: Uint8Array;
  /** The level of a value that is there. */
  readonly mostDefined: number;
  /** 1 where a slot goes on with the list of the one before; undefined without lists. */
  readonly repetitions: Uint8Array | undefined;
  readonly nulls: number;
}

/** An optional list of optional values: the list is there, it has an item, the item is not null. */
const LIST_LEVELS = { empty: 1, null: 2, value: 3 } as const;

/** Lends memory for the slots of one column at a time. */
export class SlotMemory {
  private codes = new Uint32Array();
  private definitions = new Uint8Array();
  private repetitions = new Uint8Array();

  /** They hold what the column before left there. */
  lend(slots: number): Readonly<Record<'codes', Uint32Array> & Record<'definitions' | 'repetitions', Uint8Array>> {
    if (this.codes.length < slots) {
      this.codes = new Uint32Array(slots);
      this.definitions = new Uint8Array(slots);
      this.repetitions = new Uint8Array(slots);
    }
    return {
      codes: this.codes.subarray(0, slots),
      definitions: this.definitions.subarray(0, slots),
      repetitions: this.repetitions.subarray(0, slots),
    };
  }
}

/** `entryOf` has the entry of each row. The slots are good until the next ones are asked for. */
export function slotsOf(values: ColumnCodes, entryOf: Uint32Array, memory: SlotMemory): ColumnSlots {
  const { codes, lists } = values;
  return lists === undefined ? flatSlots(codes, entryOf, memory) : listSlots(codes, lists, entryOf, memory);
}

function flatSlots(entries: readonly number[], entryOf: Uint32Array, memory: SlotMemory): ColumnSlots {
  const { codes, definitions } = memory.lend(entryOf.length);
  let nulls = 0;
  if (entries.every((code) => code === entries[0])) {
    codes.fill(entries[0] ?? 0);
    if (entries[0] === 0) nulls = codes.length;
    definitions.fill(entries[0] === 0 ? 0 : 1);
  } else {
    for (let row = 0; row < entryOf.length; row++) {
      const code = entries[entryOf[row] ?? 0] ?? 0;
      codes[row] = code;
      if (code === 0) nulls++;
      definitions[row] = code === 0 ? 0 : 1;
    }
  }
  return { codes, definitions, mostDefined: 1, repetitions: undefined, nulls };
}

function listSlots(
  codeOf: readonly number[],
  { items, ends }: EntryLists,
  entryOf: Uint32Array,
  memory: SlotMemory,
): ColumnSlots {
  const startOf = (entry: number): number => (entry === 0 ? 0 : numberAt(ends, entry - 1));
  let slots = 0;
  for (const entry of entryOf) slots += Math.max(1, numberAt(ends, entry) - startOf(entry));
  const { codes, definitions, repetitions } = memory.lend(slots);
  let [slot, nulls] = [0, 0];
  for (const entry of entryOf) {
    const start = startOf(entry);
    const end = numberAt(ends, entry);
    if (start === end) {
      codes[slot] = 0;
      repetitions[slot] = 0;
      definitions[slot++] = LIST_LEVELS.empty;
      nulls++;
    }
    for (let at = start; at < end; at++) {
      const code = numberAt(codeOf, numberAt(items, at));
      codes[slot] = code;
      if (code === 0) nulls++;
      repetitions[slot] = at === start ? 0 : 1;
      definitions[slot++] = code === 0 ? LIST_LEVELS.null : LIST_LEVELS.value;
    }
  }
  return { codes, definitions, mostDefined: LIST_LEVELS.value, repetitions, nulls };
}

/** Slots of whole rows. */
export interface PageSpan {
  readonly start: number;
  readonly end: number;
  readonly firstRow: number;
  readonly rows: number;
}

export function pageSpans({ codes, repetitions }: ColumnSlots, pageRows: number): readonly PageSpan[] {
  if (repetitions === undefined) {
    const pages = Math.ceil(codes.length / Math.min(pageRows, codes.length));
    return Array.from({ length: pages }, (_, page) => {
      const start = page === 0 ? 0 : page * pageRows;
      const end = Math.min(codes.length, start + pageRows);
      return { start, end, firstRow: start, rows: end - start };
    });
  }
  const spans: PageSpan[] = [];
  let [start, firstRow, row] = [0, 0, 0];
  for (let slot = 0; slot < codes.length; slot++) {
    if (repetitions[slot] === 1) continue;
    if (row - firstRow === pageRows) {
      spans.push({ start, end: slot, firstRow, rows: row - firstRow });
      [start, firstRow] = [slot, row];
    }
    row++;
  }
  return [...spans, { start, end: codes.length, firstRow, rows: row - firstRow }];
}
