// The JSON texts of a page of places (D42, D43): the stored text of each place, with its series and the number of its
// rights put before its closing brace. Bounded by their bytes before they are read, like the texts of records.

import type { PagePlace, PlacesSlice } from '../places/plan-places';
import { dataSetLayouts } from '../records/data-sets';
import { VARIABLE_MEMBERS } from '../search/columns/column-format';
import { lookupRange } from '../search/release/release-index';
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
  /** Stands in place of the closing brace. */
  readonly ending: Buffer;
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
  for (const { storedBytes, ending } of measured.flat()) {
    // A comma stands in place of the closing brace.
    bytes += storedBytes + ending.length;
    if (bytes > mostBytes) return { kind: 'too large', fitting };
    fitting++;
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
    const numbers = Uint32Array.from(some, ({ rank }) => first + rank);
    const stored = await reader.measure('lookups', numbers);
    const endings = endingsOf(some, await variableTexts(reader, some));
    for (const [index, position] of at.entries()) {
      const [measured, ending] = [stored[index], endings[index]];
      if (measured === undefined || ending === undefined) throw new Error('a place of the page has no text');
      texts[position] = { reader, number: numberAt(numbers, index), storedBytes: measured.bytes, ending };
    }
  }
  return texts;
}

/** A line feed stands in no JSON text: all texts are encoded at once, which takes half the time, and cut there. */
const LINE_FEED = 0x0a;

function endingsOf(places: readonly PagePlace[], variables: VariableTexts): readonly Buffer[] {
  const days = new Map<Day, string>();
  const dayText = (day: Day): string => {
    const known = days.get(day) ?? `"${isoDateOfDay(day)}"`;
    days.set(day, known);
    return known;
  };
  const all = Buffer.from(places.map((place) => `${endingOf(place, variables, dayText)}\n`).join(''));
  let start = 0;
  return places.map(() => {
    const end = all.indexOf(LINE_FEED, start);
    const ending = all.subarray(start, end);
    start = end + 1;
    return ending;
  });
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
  const byteLength = texts.reduce((sum, { storedBytes, ending }) => sum + storedBytes - 1 + ending.length, commas);
  return {
    byteLength,
    copyTo: (target, offset) => {
      const sources = new Map([...stored].map(([reader, joined]) => [reader, { plain: plainOf(joined), next: 0 }]));
      let at = offset;
      for (const { reader, storedBytes, ending } of texts) {
        const source = sources.get(reader);
        if (source === undefined) throw new Error('a place of a release that was not read');
        if (at > offset) target[at++] = COMMA;
        target.set(source.plain.subarray(source.next, source.next + storedBytes - 1), at);
        target.set(ending, at + storedBytes - 1);
        at += storedBytes - 1 + ending.length;
        // A comma stands behind each stored text.
        source.next += storedBytes + 1;
      }
    },
  };
}

function plainOf(joined: JoinedFragments): Uint8Array {
  const plain = new Uint8Array(joined.byteLength);
  joined.copyTo(plain, 0);
  return plain;
}
