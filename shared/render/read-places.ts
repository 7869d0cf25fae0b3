// Reads a page of places as JSON texts (D42, D43): the stored text of each place, extended by its series and its number
// of rights. As with records, their size is checked before they are read.

import type { Condition } from '../query/condition';
import type { Operation } from '../query/operations';
import { VARIABLE_MEMBERS } from '../search/index/column-format';
import { getLookupRange, getPlaceKind, readLookups } from '../search/index/release-lookups';
import type { CatalogRelease } from '../search/open-releases';
import { type PagePlace, type PlacesSlice, planPlaces } from '../search/places/plan-places';
import { type Page, planPage, planRemovedPage } from '../search/plan-page';
import { joinJsonTexts } from '../store/joined-fragments';
import type { JoinedFragments, ReleaseReader } from '../store/port';
import { formatIsoDate } from '../values/dates';
import { numberAt } from '../values/number-arrays';
import {
  type ChooseLookups,
  type PageBounds,
  type PageTexts,
  readPage,
  type SliceTexts,
  splitTexts,
} from './read-page';

/** A planned page of an operation, before its texts are read. */
export interface PlannedTexts {
  /** The number of records or places on all pages. */
  readonly total: number;
  /** The number of records or places on this page. */
  readonly records: number;
  readonly read: (bounds: PageBounds) => Promise<PageTexts>;
}

/**
 * `releases` come from `openListedReleases`; for removed records, they are the replaced releases. Throws what
 * `planPage` throws.
 */
export async function planPageTexts(
  { kind }: Pick<Operation, 'kind'>,
  releases: readonly CatalogRelease[],
  { condition, ...page }: Page & { readonly condition: Condition },
  choose?: ChooseLookups,
): Promise<PlannedTexts> {
  if (kind === 'places') {
    const { total, slices } = await planPlaces(releases, condition, page);
    const records = slices.reduce((sum, { places }) => sum + places.length, 0);
    return { total, records, read: (bounds) => readPlacePage(slices, bounds) };
  }
  const { total, slices } =
    kind === 'removed' ? await planRemovedPage(releases, page) : await planPage(releases, condition, page);
  const records = slices.reduce((sum, { numbers }) => sum + numbers.length, 0);
  return { total, records, read: (bounds) => readPage(slices, bounds, choose) };
}

/** The text of one place, before it is read. */
interface PlaceText {
  readonly reader: ReleaseReader;
  /** The lookup number of the place. */
  readonly number: number;
  /** The length of the stored text, including its closing brace. */
  readonly bytes: number;
  /** Replaces the closing brace. */
  readonly ending: Buffer;
}

/** Keyed by variable number within its kind: the members of the variable, as the start of the JSON of a series. */
type VariableTexts = ReadonlyMap<number, string>;

/**
 * Reads the texts of the places, which become the records of the slices. Reads nothing if the page exceeds the bounds.
 */
export async function readPlacePage(
  page: readonly PlacesSlice[],
  { maxBytes, reserve }: PageBounds,
): Promise<PageTexts> {
  const measured = await Promise.all(page.map(({ places }) => measurePlaces(places)));
  let bytes = 0;
  let fittingCount = 0;
  for (const places of measured) {
    for (const { bytes: storedBytes, ending } of places) {
      // A comma replaces the closing brace.
      bytes += storedBytes + ending.length;
      if (bytes > maxBytes) return { kind: 'too large', fittingCount };
      fittingCount++;
    }
  }
  if (!reserve(bytes)) return { kind: 'no room' };
  const pendingSlices = page.map(async ({ organization, places }, index): Promise<SliceTexts> => {
    const source = [...new Set(places.map(({ reader }) => reader.facts.releaseId))].join(' ');
    return { organization, source, records: await readPlaceTexts(measured[index] ?? []), lookups: new Map() };
  });
  return { kind: 'texts', slices: await Promise.all(pendingSlices), bytes };
}

async function measurePlaces(places: readonly PagePlace[]): Promise<readonly PlaceText[]> {
  const texts: PlaceText[] = [];
  const positionsByReader = Map.groupBy(places.keys(), (position) => places[position]?.reader);
  for (const [reader, readerPositions] of positionsByReader) {
    if (reader === undefined) continue;
    const readerPlaces = readerPositions.flatMap((position) => places[position] ?? []);
    const [first] = getLookupRange(reader, getPlaceKind(reader));
    const numbers = new Uint32Array(readerPlaces.map(({ rank }) => first + rank));
    const stored = await reader.measure('lookups', numbers);
    const variables = await writeVariables(reader, readerPlaces);
    readerPlaces.forEach((place, index) => {
      const measured = stored[index];
      const position = readerPositions[index];
      if (measured === undefined || position === undefined) throw new Error('a place of the page has no text');
      const ending = Buffer.from(writeEnding(place, variables));
      texts[position] = { reader, number: numberAt(numbers, index), bytes: measured.bytes, ending };
    });
  }
  return texts;
}

async function writeVariables(reader: ReleaseReader, places: readonly PagePlace[]): Promise<VariableTexts> {
  const numbers = Uint32Array.from(
    new Set(places.flatMap(({ series }) => series.map(({ variable }) => variable))),
  ).sort();
  const items = await readLookups(reader, 'VariableSpecifics', numbers);
  const texts = items.map((item, index): [number, string] => {
    const members = ['VariableSpecificUUID', ...VARIABLE_MEMBERS].map((name) => [name, item[name]] as const);
    return [numbers[index] ?? NaN, JSON.stringify(Object.fromEntries(members)).slice(0, -1)];
  });
  return new Map(texts);
}

function writeEnding({ series, allocations }: PagePlace, variables: VariableTexts): string {
  const allocationsMember = allocations === undefined ? '' : `,"AllocationsCount":${allocations}`;
  const texts = series.map(({ variable, records, years, days }) => {
    const [first, last] =
      days === undefined ? ['null', 'null'] : [`"${formatIsoDate(days.first)}"`, `"${formatIsoDate(days.last)}"`];
    const counts = `"RecordsCount":${records},"YearsCount":${years},"FirstDay":${first},"LastDay":${last}`;
    return `${variables.get(variable) ?? '{'},${counts}}`;
  });
  return `,"Series":[${texts.join()}]${allocationsMember}}`;
}

/** Reads the stored texts and replaces their closing braces with the endings. */
async function readPlaceTexts(texts: readonly PlaceText[]): Promise<JoinedFragments> {
  const completeTexts = new Map<PlaceText, Buffer>();
  for (const [reader, readerTexts] of Map.groupBy(texts, (text) => text.reader)) {
    const stored = splitTexts(
      await reader.texts(
        'lookups',
        Uint32Array.from(readerTexts, ({ number }) => number),
      ),
      readerTexts,
    );
    for (const [index, text] of readerTexts.entries()) {
      completeTexts.set(text, Buffer.concat([stored[index]?.subarray(0, -1) ?? Buffer.of(), text.ending]));
    }
  }
  return joinJsonTexts(texts.flatMap((text) => completeTexts.get(text) ?? []));
}
