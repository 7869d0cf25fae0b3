// Reads the stored JSON texts of a page: its records and the lookups that they refer to. Checks their size before
// reading them (ADR 0054).

import { lookupIdentifiers, type LookupKind } from '../records/lookups';
import type { Item } from '../records/record-references';
import type { Organization } from '../records/records';
import type { PageSlice } from '../search/plan-page';
import { joinJsonTexts, parseItemGroups } from '../store/joined-fragments';
import type { JoinedFragments, MeasuredText, ReleaseReader, ReserveBytes } from '../store/port';
import { numberAt } from '../values/number-arrays';
import { inPageOrder } from './page-order';
import type { LookupItems } from './table-columns';

/** The texts of those records of a page that come from one release, and of the lookups that they refer to. */
export interface SliceTexts {
  readonly organization: Organization;
  /** Identifies the releases that the texts come from. A place with the same source always has the same geometry. */
  readonly source: string;
  readonly records: JoinedFragments;
  readonly lookups: ReadonlyMap<LookupKind, JoinedFragments>;
  /** The position of each record on the page (D69); set only if the request sets an order. */
  readonly positions?: Uint32Array | undefined;
}

/** A page, and the texts of its slices. */
export interface ReadablePage {
  /** The number of records on all pages. */
  readonly total: number;
  /** The number of records on this page. */
  readonly records: number;
  readonly slices: readonly SliceTexts[];
}

export type PageTexts =
  | { readonly kind: 'texts'; readonly slices: readonly SliceTexts[]; readonly bytes: number }
  /** The texts are too large; only the first `fittingCount` records fit. */
  | { readonly kind: 'too large'; readonly fittingCount: number }
  /** `reserve` returned false. */
  | { readonly kind: 'no room' };

export interface PageBounds {
  readonly maxBytes: number;
  /** Called with the total size in bytes before the texts are read. Returns false if there is no room for them. */
  readonly reserve: (bytes: number) => boolean;
}

class PageRefusedError extends Error {
  constructor(readonly kind: 'too large' | 'no room') {
    super(kind);
  }
}

/** Selects which of the referenced lookups of a kind to read. Numbers are ascending. */
export type ChooseLookups = (reader: ReleaseReader, kind: LookupKind, numbers: Uint32Array) => Promise<Uint32Array>;

const allLookups: ChooseLookups = (_reader, _kind, numbers) => Promise.resolve(numbers);

/** Reads the texts of a page. Stops, and returns no texts, if they exceed the bounds. */
export async function readPage(
  page: readonly PageSlice[],
  { maxBytes, reserve }: PageBounds,
  choose = allLookups,
): Promise<PageTexts> {
  let bytes = 0;
  const admit: ReserveBytes = (more) => {
    bytes += more;
    if (bytes > maxBytes) throw new PageRefusedError('too large');
    if (!reserve(bytes)) throw new PageRefusedError('no room');
  };
  try {
    const slices: SliceTexts[] = [];
    for (const slice of page) slices.push(await readSlice(slice, admit, choose));
    return { kind: 'texts', slices, bytes };
  } catch (error) {
    if (!(error instanceof PageRefusedError)) throw error;
    if (error.kind === 'no room') return { kind: 'no room' };
    return { kind: 'too large', fittingCount: await countFitting(page, maxBytes) };
  }
}

/** Calls `admit` with the number of bytes before reading them; `admit` throws if there are too many. */
export async function readSlice(
  { reader, numbers, order }: PageSlice,
  admit: ReserveBytes,
  choose = allLookups,
): Promise<SliceTexts> {
  const texts = await reader.texts('records', numbers, admit);
  const records =
    order === undefined ? texts : reorderTexts(texts, await reader.measure('records', numbers), order.indices);
  const pendingLookups = groupReferencesByKind(reader, texts.references).map(async ([kind, numbers]) => {
    return [kind, await reader.texts('lookups', await choose(reader, kind, numbers), admit)] as const;
  });
  const lookups = new Map(await Promise.all(pendingLookups));
  const { organization, releaseId: source } = reader.facts;
  return { organization, source, records, lookups, positions: order?.positions };
}

/** Returns the same texts in a different order. */
function reorderTexts(texts: JoinedFragments, measured: readonly MeasuredText[], order: Uint32Array): JoinedFragments {
  const separateTexts = splitTexts(texts, measured);
  return joinJsonTexts(Array.from(order).flatMap((position) => separateTexts[position] ?? []));
}

/** Splits joined texts and returns a copy of each. */
export function splitTexts(
  texts: JoinedFragments,
  measured: readonly Pick<MeasuredText, 'bytes'>[],
): readonly Uint8Array[] {
  const copy = new Uint8Array(texts.byteLength);
  texts.copyTo(copy, 0);
  let next = 0;
  return measured.map(({ bytes }) => {
    const start = next;
    // A comma follows each text.
    next += bytes + 1;
    return copy.subarray(start, start + bytes);
  });
}

/** Groups sorted lookup numbers by kind. Lookups are numbered kind by kind, so each kind is a contiguous range. */
export function groupReferencesByKind(
  { facts }: ReleaseReader,
  references: Uint32Array,
): readonly (readonly [kind: LookupKind, numbers: Uint32Array])[] {
  let end = 0;
  let position = 0;
  return facts.lookups.map(({ kind, count }) => {
    end += count;
    const start = position;
    while (position < references.length && numberAt(references, position) < end) position++;
    return [kind, references.subarray(start, position)] as const;
  });
}

/** The sizes of the texts of a slice, known before they are read. */
interface MeasuredSlice {
  /** In the order of the page. */
  readonly records: readonly MeasuredText[];
  /** The size of each referenced lookup in bytes, by lookup number. */
  readonly lookupBytes: ReadonlyMap<number, number>;
  readonly positions: Uint32Array | undefined;
}

/**
 * Counts how many records from the start of the page fit into `maxBytes` with their lookups. Each lookup counts once.
 */
async function countFitting(page: readonly PageSlice[], maxBytes: number): Promise<number> {
  const slices: MeasuredSlice[] = [];
  for (const slice of page) slices.push(await measureSlice(slice));
  let fittingCount = 0;
  let bytes = 0;
  for (const recordBytes of inPageOrder(slices, listRecordBytes)) {
    bytes += recordBytes ?? 0;
    if (bytes > maxBytes) return fittingCount;
    fittingCount++;
  }
  return fittingCount;
}

async function measureSlice({ reader, numbers, order }: PageSlice): Promise<MeasuredSlice> {
  const measured = await reader.measure('records', numbers);
  const records = order === undefined ? measured : Array.from(order.indices).flatMap((index) => measured[index] ?? []);
  const lookupNumbers = Uint32Array.from(new Set(records.flatMap(({ references }) => [...references]))).sort();
  const lookups = await reader.measure('lookups', lookupNumbers);
  const lookupBytes = new Map(lookups.map((lookup, index) => [numberAt(lookupNumbers, index), lookup.bytes + 1]));
  return { records, lookupBytes, positions: order?.positions };
}

/** Yields the size of each record. A lookup counts for the first record that refers to it. */
function* listRecordBytes({ records, lookupBytes }: MeasuredSlice): Generator<number> {
  const remainingLookupBytes = new Map(lookupBytes);
  for (const record of records) {
    let bytes = record.bytes + 1;
    for (const number of record.references) {
      bytes += remainingLookupBytes.get(number) ?? 0;
      remainingLookupBytes.delete(number);
    }
    yield bytes;
  }
}

export function indexLookups(slice: SliceTexts): LookupItems {
  const steps = indexLookupsInSteps(slice);
  let step = steps.next();
  while (step.done !== true) step = steps.next();
  return step.value;
}

/**
 * Indexes the lookups by identifier. Pauses between groups of lookups, because a page may refer to thousands of sites.
 */
export function* indexLookupsInSteps({ lookups }: SliceTexts): Generator<undefined, LookupItems> {
  const byKind = new Map<LookupKind, ReadonlyMap<unknown, Item>>();
  for (const [kind, texts] of lookups) {
    const items = new Map<unknown, Item>();
    for (const group of parseItemGroups(texts)) {
      for (const item of group) items.set(item[lookupIdentifiers[kind]], item);
      yield undefined;
    }
    byKind.set(kind, items);
  }
  return byKind;
}
