// The stored JSON texts of a page's records and lookups, bounded by their bytes before they are read, and the bounded
// joining of the texts that are written from them (ADR 0054).

import type { Item } from '../records/data-sets';
import { lookupIdentifiers, type LookupKind } from '../records/lookups';
import type { Organization } from '../records/records';
import type { PageSlice } from '../search/plan-page';
import {
  type Admit,
  type JoinedFragments,
  joinParts,
  type MeasuredText,
  parseItems,
  type ReleaseReader,
} from '../store/port';
import { ByteWriter } from '../values/bytes/byte-writer';
import { numberAt } from '../values/numbers';
import type { KnownLookups } from './table-columns';

/** The texts of a page's records in one release, and of the lookups that they refer to. */
export interface SliceTexts {
  readonly organization: Organization;
  /** Names the releases that the texts are of: the same places have the same geometries under it. */
  readonly source: string;
  readonly records: JoinedFragments;
  readonly lookups: ReadonlyMap<LookupKind, JoinedFragments>;
}

/** A page with the texts of its slices. */
export interface ReadablePage {
  /** Records on all pages. */
  readonly total: number;
  /** Records on this page. */
  readonly records: number;
  readonly slices: readonly SliceTexts[];
}

export type WrittenPage =
  | { readonly kind: 'body'; readonly body: Buffer }
  /** So many records from the first one on fit. */
  | { readonly kind: 'too large'; readonly fitting: number };

export type PageTexts =
  | { readonly kind: 'texts'; readonly slices: readonly SliceTexts[]; readonly bytes: number }
  /** The texts have too many bytes; so many records from the first one on have not. */
  | { readonly kind: 'too large'; readonly fitting: number }
  /** `reserve` had no room. */
  | { readonly kind: 'no room' };

export interface PageBounds {
  readonly mostBytes: number;
  /** Hears of the bytes before they are read, of more each time; false where there is no room for them. */
  readonly reserve: (bytes: number) => boolean;
}

class NotAdmittedError extends Error {
  constructor(readonly kind: 'too large' | 'no room') {
    super(kind);
  }
}

/** Which of the lookups of a kind to which records refer are read, by their ascending numbers. */
export type ChooseLookups = (reader: ReleaseReader, kind: LookupKind, numbers: Uint32Array) => Promise<Uint32Array>;

const allLookups: ChooseLookups = (_reader, _kind, numbers) => Promise.resolve(numbers);

/** Reads nothing of a page that is out of bounds. */
export async function readPage(
  page: readonly PageSlice[],
  { mostBytes, reserve }: PageBounds,
  choose = allLookups,
): Promise<PageTexts> {
  let bytes = 0;
  const admit: Admit = (more) => {
    bytes += more;
    if (bytes > mostBytes) throw new NotAdmittedError('too large');
    if (!reserve(bytes)) throw new NotAdmittedError('no room');
  };
  try {
    const slices: SliceTexts[] = [];
    for (const slice of page) slices.push(await readSlice(slice, admit, choose));
    return { kind: 'texts', slices, bytes };
  } catch (error) {
    if (!(error instanceof NotAdmittedError)) throw error;
    if (error.kind === 'no room') return { kind: 'no room' };
    return { kind: 'too large', fitting: await countFitting(page, mostBytes) };
  }
}

/** `admit` hears of the bytes before they are read, and throws where they are too many. */
export async function readSlice(
  { reader, numbers, order }: PageSlice,
  admit: Admit,
  choose = allLookups,
): Promise<SliceTexts> {
  const read = await reader.texts('records', numbers, admit);
  const records = order === undefined ? read : reordered(read, await reader.measure('records', numbers), order);
  const reading = referencesByKind(reader, read.references).map(async ([kind, referred]) => {
    return [kind, await reader.texts('lookups', await choose(reader, kind, referred), admit)] as const;
  });
  const lookups = new Map(await Promise.all(reading));
  const { organization, releaseId: source } = reader.facts;
  return { organization, source, records, lookups };
}

/** The same texts in another order. */
export function reordered(
  texts: JoinedFragments,
  measured: readonly MeasuredText[],
  order: Uint32Array,
): JoinedFragments {
  const each = textsOf(texts, measured);
  return joinParts(Array.from(order).flatMap((place) => each[place] ?? []));
}

/** A copy of each text. */
export function textsOf(
  texts: JoinedFragments,
  measured: readonly Pick<MeasuredText, 'bytes'>[],
): readonly Uint8Array[] {
  const copy = new Uint8Array(texts.byteLength);
  texts.copyTo(copy, 0);
  let next = 0;
  return measured.map(({ bytes }) => {
    const start = next;
    // A comma stands behind each text.
    next += bytes + 1;
    return copy.subarray(start, start + bytes);
  });
}

/** What of ascending references is of each kind: lookups are numbered kind by kind, so that is a stretch of them. */
export function referencesByKind(
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

/** How many records from the first one on have texts of at most so many bytes, with their lookups, each once. */
async function countFitting(page: readonly PageSlice[], mostBytes: number): Promise<number> {
  let fitting = 0;
  let bytes = 0;
  for (const { reader, numbers, order } of page) {
    const measured = await reader.measure('records', numbers);
    const records = order === undefined ? measured : Array.from(order).flatMap((place) => measured[place] ?? []);
    const referred = Uint32Array.from(new Set(records.flatMap(({ references }) => [...references]))).sort();
    const lookups = await reader.measure('lookups', referred);
    // A lookup counts with the first record that refers to it.
    const uncounted = new Map(lookups.map((lookup, index) => [numberAt(referred, index), lookup.bytes + 1]));
    for (const record of records) {
      bytes += record.bytes + 1;
      for (const number of record.references) {
        bytes += uncounted.get(number) ?? 0;
        uncounted.delete(number);
      }
      if (bytes > mostBytes) return fitting;
      fitting++;
    }
  }
  return fitting;
}

export function lookupItems({ lookups }: SliceTexts): KnownLookups {
  const byIdentifier = (kind: LookupKind, items: readonly Item[]): ReadonlyMap<unknown, Item> =>
    new Map(items.map((item) => [item[lookupIdentifiers[kind]], item]));
  return new Map([...lookups].map(([kind, texts]) => [kind, byIdentifier(kind, parseItems(texts))] as const));
}

export interface JoinBounds {
  readonly separator: string;
  readonly mostBytes: number;
  /** So many bytes of each text do not count. */
  readonly uncounted?: number;
}

export interface JoinedTexts {
  readonly bytes: Buffer;
  readonly count: number;
  /** Whether no text was left out. */
  readonly isWhole: boolean;
}

/**
 * As many of the texts as are within the bound, with separators between them. Each text is written when it is made:
 * thousands of strings that live on until they are joined would take longer to collect than to make.
 */
export function joinBounded(texts: Iterable<string>, { separator, mostBytes, uncounted = 0 }: JoinBounds): JoinedTexts {
  const body = new ByteWriter(FIRST_BYTES);
  let count = 0;
  let counted = 0;
  let end = 0;
  for (const text of texts) {
    if (count > 0) body.text(separator);
    counted += body.text(text) - uncounted;
    if (counted > mostBytes) return { bytes: body.bytes(0, end), count, isWhole: false };
    end = body.length;
    count++;
  }
  return { bytes: body.bytes(), count, isWhole: true };
}

/** A small page; memory is doubled for others. */
const FIRST_BYTES = 64 * 1024;

/** A body of the texts between two others; too large where they are not within the bound. */
export function enclosed(before: string, texts: JoinedTexts, behind: string): WrittenPage {
  if (!texts.isWhole) return { kind: 'too large', fitting: texts.count };
  return { kind: 'body', body: Buffer.concat([Buffer.from(before), texts.bytes, Buffer.from(behind)]) };
}
