// The JSON texts of a page of places (D42, D43): the stored text of each place, with its series and the number of its
// rights put before its closing brace. Bounded by their bytes before they are read, like the texts of records.

import type { Condition } from '../query/condition';
import type { Operation } from '../query/operations';
import { VARIABLE_MEMBERS } from '../search/index/column-format';
import { lookupRange, lookupsAt, placeKindOf } from '../search/index/release-index';
import { type PagePlace, type PlacesSlice, planPlaces } from '../search/places/plan-places';
import { type Page, planPage, planRemoved, type ReadRelease } from '../search/plan-page';
import { type JoinedFragments, joinParts, type ReleaseReader } from '../store/port';
import { isoDateOfDay } from '../values/dates';
import { numberAt } from '../values/numbers';
import { type ChooseLookups, type PageBounds, type PageTexts, readPage, type SliceTexts, textsOf } from './read-page';

/** A page of what an operation lists, before its texts are read. */
export interface PlannedTexts {
  /** Records or places over all pages. */
  readonly total: number;
  /** Those on the page. */
  readonly records: number;
  readonly read: (bounds: PageBounds) => Promise<PageTexts>;
}

/** `releases` are those of `openListed`, or of `openReplaced` for removed records. Throws as planPage does. */
export async function planTexts(
  { kind }: Pick<Operation, 'kind'>,
  releases: readonly ReadRelease[],
  { condition, ...page }: Page & { readonly condition: Condition },
  choose?: ChooseLookups,
): Promise<PlannedTexts> {
  if (kind === 'places') {
    const { total, slices } = await planPlaces(releases, condition, page);
    const records = slices.reduce((sum, { places }) => sum + places.length, 0);
    return { total, records, read: (bounds) => readPlacePage(slices, bounds) };
  }
  const { total, slices } =
    kind === 'removed' ? await planRemoved(releases, page) : await planPage(releases, condition, page);
  const records = slices.reduce((sum, { numbers }) => sum + numbers.length, 0);
  return { total, records, read: (bounds) => readPage(slices, bounds, choose) };
}

/** A text of the page. */
interface PlaceText {
  readonly reader: ReleaseReader;
  /** The number of its lookup. */
  readonly number: number;
  /** The length of the stored text, whose last byte is its closing brace. */
  readonly bytes: number;
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
  for (const places of measured) {
    for (const { bytes: stored, ending } of places) {
      // A comma stands in place of the closing brace.
      bytes += stored + ending.length;
      if (bytes > mostBytes) return { kind: 'too large', fitting };
      fitting++;
    }
  }
  if (!reserve(bytes)) return { kind: 'no room' };
  const reading = page.map(async ({ organization, places }, index): Promise<SliceTexts> => {
    const source = [...new Set(places.map(({ reader }) => reader.facts.releaseId))].join(' ');
    return { organization, source, records: await readTexts(measured[index] ?? []), lookups: new Map() };
  });
  return { kind: 'texts', slices: await Promise.all(reading), bytes };
}

async function measurePlaces(places: readonly PagePlace[]): Promise<readonly PlaceText[]> {
  const texts: PlaceText[] = [];
  const positions = Map.groupBy(places.keys(), (position) => places[position]?.reader);
  for (const [reader, at] of positions) {
    if (reader === undefined) continue;
    const some = at.flatMap((position) => places[position] ?? []);
    const [first] = lookupRange(reader, placeKindOf(reader));
    const numbers = new Uint32Array(some.map(({ rank }) => first + rank));
    const stored = await reader.measure('lookups', numbers);
    const variables = await variableTexts(reader, some);
    some.forEach((place, index) => {
      const measured = stored[index];
      const position = at[index];
      if (measured === undefined || position === undefined) throw new Error('a place of the page has no text');
      const ending = Buffer.from(endingOf(place, variables));
      texts[position] = { reader, number: numberAt(numbers, index), bytes: measured.bytes, ending };
    });
  }
  return texts;
}

async function variableTexts(reader: ReleaseReader, places: readonly PagePlace[]): Promise<VariableTexts> {
  const numbers = Uint32Array.from(
    new Set(places.flatMap(({ series }) => series.map(({ variable }) => variable))),
  ).sort();
  const items = await lookupsAt(reader, 'VariableSpecifics', numbers);
  const texts = items.map((item, index): [number, string] => {
    const shown = ['VariableSpecificUUID', ...VARIABLE_MEMBERS].map((name) => [name, item[name]] as const);
    return [numbers[index] ?? NaN, JSON.stringify(Object.fromEntries(shown)).slice(0, -1)];
  });
  return new Map(texts);
}

function endingOf({ series, allocations }: PagePlace, variables: VariableTexts): string {
  const counted = allocations === undefined ? '' : `,"AllocationsCount":${allocations}`;
  const texts = series.map(({ variable, records, years, days }) => {
    const [first, last] =
      days === undefined ? ['null', 'null'] : [`"${isoDateOfDay(days.first)}"`, `"${isoDateOfDay(days.last)}"`];
    const counts = `"RecordsCount":${records},"YearsCount":${years},"FirstDay":${first},"LastDay":${last}`;
    return `${variables.get(variable) ?? '{'},${counts}}`;
  });
  return `,"Series":[${texts.join()}]${counted}}`;
}

/** Reads the stored texts, and puts the endings in place of their closing braces. */
async function readTexts(texts: readonly PlaceText[]): Promise<JoinedFragments> {
  const whole = new Map<PlaceText, Buffer>();
  for (const [reader, some] of Map.groupBy(texts, (text) => text.reader)) {
    const stored = textsOf(
      await reader.texts(
        'lookups',
        Uint32Array.from(some, ({ number }) => number),
      ),
      some,
    );
    for (const [index, text] of some.entries()) {
      whole.set(text, Buffer.concat([stored[index]?.subarray(0, -1) ?? Buffer.of(), text.ending]));
    }
  }
  return joinParts(texts.flatMap((text) => whole.get(text) ?? []));
}
