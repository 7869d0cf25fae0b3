// The JSON texts of a page of places (D42, D43): the stored text of each place, with its series and the number of its
// rights put before its closing brace. Bounded by their bytes before they are read, like the texts of records.

import type { PagePlace, PlacesSlice } from '../search/places/plan-places';
import { dataSetLayouts } from '../records/data-sets';
import { VARIABLE_MEMBERS } from '../search/index/column-format';
import { lookupRange } from '../search/index/release-index';
import { COMMA } from '../store/fragments';
import type { JoinedFragments, ReleaseReader } from '../store/port';
import { isoDateOfDay, type Day } from '../values/dates';
import { numberAt } from '../values/numbers';
import { parseItems, type PageBounds, type PageTexts, type SliceTexts } from './page-texts';

/** A text of the page. */
interface PlaceText {
  readonly reader: ReleaseReader;
  /** The number of its lookup. */
  readonly number: number;
  /** The length of the stored text, whose last byte is its closing brace. */
  readonly storedBytes: number;
  /** Stands in place of the closing brace: the bytes of `endings` from `endingStart` on. */
  readonly endings: Buffer;
  readonly endingStart: number;
  readonly endingBytes: number;
}

/** By number of a variable within its kind, its members as the beginning of the JSON text of a series. */
type VariableTexts = ReadonlyMap<number, string>;

/** Reads no place of a page that is out of bounds. The places stand as the records of the slices. */
export async function readPlacePage(
  page: readonly PlacesSlice[],
  { mostBytes, reserve }: PageBounds,
): Promise<PageTexts> {
  const measured = await Promise.all(page.map(({ places }) => measurePlaces(places)));
  let bytes = 0;
  let fitting = 0;
  for (const places of measured) {
    for (const { storedBytes, endingBytes } of places) {
      // A comma stands in place of the closing brace.
      bytes += storedBytes + endingBytes;
      if (bytes > mostBytes) return { kind: 'too large', fitting };
      fitting++;
    }
  }
  if (!reserve(bytes)) return { kind: 'no room' };
  const reading = page.map(async ({ organization, places }, index): Promise<SliceTexts> => {
    const source = [...new Set(places.map(({ reader }) => reader.facts.releaseId))].join(' ');
    return { organization, source, records: await joinTexts(measured[index] ?? []), lookups: new Map() };
  });
  return { kind: 'texts', slices: await Promise.all(reading), bytes };
}

async function measurePlaces(places: readonly PagePlace[]): Promise<readonly PlaceText[]> {
  const texts: PlaceText[] = [];
  const positions = Map.groupBy(places.keys(), (position) => places[position]?.reader);
  for (const [reader, at] of positions) {
    if (reader === undefined) continue;
    const some = at.flatMap((position) => places[position] ?? []);
    const [first] = lookupRange(reader, dataSetLayouts[reader.facts.dataSet].placeKind);
    const numbers = new Uint32Array(some.map(({ rank }) => first + rank));
    const stored = await reader.measure('lookups', numbers);
    const endings = endingsOf(some, await variableTexts(reader, some));
    let endingStart = 0;
    at.forEach((position, index) => {
      const measured = stored[index];
      const endingEnd = endings.indexOf(LINE_FEED, endingStart);
      if (measured === undefined || endingEnd === -1) throw new Error('a place of the page has no text');
      const ending = { endings, endingStart, endingBytes: endingEnd - endingStart };
      texts[position] = { reader, number: numberAt(numbers, index), storedBytes: measured.bytes, ...ending };
      endingStart = endingEnd + 1;
    });
  }
  return texts;
}

/** A line feed stands in no JSON text: all texts are encoded at once, which takes half the time, and end with one. */
const LINE_FEED = 0x0a;

function endingsOf(places: readonly PagePlace[], variables: VariableTexts): Buffer {
  const days = new Map<Day, string>();
  const dayText = (day: Day): string => {
    const known = days.get(day) ?? `"${isoDateOfDay(day)}"`;
    days.set(day, known);
    return known;
  };
  return Buffer.from(places.map((place) => `${endingOf(place, variables, dayText)}\n`).join(''));
}

async function variableTexts(reader: ReleaseReader, places: readonly PagePlace[]): Promise<VariableTexts> {
  const numbers = Uint32Array.from(new Set(places.flatMap(({ series }) => series.map(({ variable }) => variable))));
  const [first] = lookupRange(reader, 'VariableSpecifics');
  const items = parseItems(await reader.lookups(numbers.sort().map((number) => first + number)));
  const texts = items.map((item, index): [number, string] => {
    const shown = ['VariableSpecificUUID', ...VARIABLE_MEMBERS].map((name) => [name, item[name]] as const);
    return [numbers[index] ?? NaN, JSON.stringify(Object.fromEntries(shown)).slice(0, -1)];
  });
  return new Map(texts);
}

function endingOf({ series, allocations }: PagePlace, variables: VariableTexts, dayText: (day: Day) => string): string {
  const counted = allocations === undefined ? '' : `,"AllocationsCount":${allocations}`;
  const texts = series.map(({ variable, records, years, days }) => {
    const [first, last] = days === undefined ? ['null', 'null'] : [dayText(days.first), dayText(days.last)];
    const counts = `"RecordsCount":${records},"YearsCount":${years},"FirstDay":${first},"LastDay":${last}`;
    return `${variables.get(variable) ?? '{'},${counts}}`;
  });
  return `,"Series":[${texts.join()}]${counted}}`;
}

async function joinTexts(texts: readonly PlaceText[]): Promise<JoinedFragments> {
  const stored = new Map<ReleaseReader, JoinedFragments>();
  for (const [reader, some] of Map.groupBy(texts, (text) => text.reader)) {
    stored.set(reader, await reader.lookups(Uint32Array.from(some, ({ number }) => number)));
  }
  const commas = Math.max(0, texts.length - 1);
  const byteLength = texts.reduce((sum, { storedBytes, endingBytes }) => sum + storedBytes - 1 + endingBytes, commas);
  return {
    byteLength,
    copyTo: (target, offset) => {
      const sources = readStored(stored, target, offset + byteLength);
      let at = offset;
      for (const { reader, storedBytes, endings, endingStart, endingBytes } of texts) {
        const source = sources.get(reader);
        if (source === undefined) throw new Error('a place of a release that was not read');
        if (at > offset) target[at++] = COMMA;
        const { bytes, next } = source;
        if (bytes === target) target.copyWithin(at, next, next + storedBytes - 1);
        else target.set(bytes.subarray(next, next + storedBytes - 1), at);
        endings.copy(target, at + storedBytes - 1, endingStart, endingStart + endingBytes);
        at += storedBytes - 1 + endingBytes;
        // A comma stands behind each stored text.
        source.next += storedBytes + 1;
      }
    },
  };
}

/** Stored texts with commas between them, and where the next one starts. */
interface StoredTexts {
  readonly bytes: Uint8Array;
  next: number;
}

/**
 * Reads the stored texts. Those of one release, as most pages have, are read to where the target ends: each text with
 * its ending is longer than stored, so what is written there ends before the next text.
 */
function readStored(
  stored: ReadonlyMap<ReleaseReader, JoinedFragments>,
  target: Uint8Array,
  end: number,
): ReadonlyMap<ReleaseReader, StoredTexts> {
  const texts = new Map<ReleaseReader, StoredTexts>();
  for (const [reader, joined] of stored) {
    const isAlone = stored.size === 1;
    const bytes = isAlone ? target : new Uint8Array(joined.byteLength);
    const next = isAlone ? end - joined.byteLength : 0;
    joined.copyTo(bytes, next);
    texts.set(reader, { bytes, next });
  }
  return texts;
}
