// Things that are found by a name: of the data (D60), each with the filter that finds its records; and towns that the
// map shows, which are no part of the data, so the map goes there and nothing is filtered.

import { type Kind, KINDS } from '../state/kinds';
import {
  type Camera,
  type ExplorerState,
  type Filters,
  folded,
  onMap,
  withKind,
  withMoreFilters,
} from '../state/state';
import { nameOfState } from '../state/state-names';
import type { ServiceClient } from './client';
import { type Facets, facetValues } from './operations';
import type { Reply } from './reply';

/** What people call the kinds of Find, and states, which Find does not have. */
const KIND_WORDS = {
  State: 'state',
  County: 'county',
  HUC8: 'watershed',
  HUC12: 'subwatershed',
  Site: 'site',
  ReportingUnit: 'reporting unit',
  Right: 'water right',
  Owner: 'owner',
  Use: 'beneficial use',
  Variable: 'variable',
  Organization: 'organization',
} as const;

export type FoundKind = keyof typeof KIND_WORDS;

/** A thing as Find has it (D60). */
interface FoundItem extends Readonly<
  Record<'OrganizationUUID' | 'Identifier' | 'Name' | 'State' | 'County', string | null>
> {
  readonly Kind: FoundKind;
  readonly RecordsCounts: Readonly<
    Record<'SiteVariableAmounts' | 'AggregatedAmounts' | 'SiteAllocationAmounts', number>
  >;
  readonly Filter: string;
}

/** A suggestion: what it is called, and what it is; of the data, how many records of each kind its filter finds. */
export type FoundName = FoundInData | FoundTown;

export interface FoundInData {
  readonly name: string;
  readonly says: string;
  readonly counts: Readonly<Record<Kind, number>>;
  readonly filters: Filters;
  /** The feature that it is (D48), which stands on the map of a kind of records. */
  readonly feature?: { readonly kind: Kind; readonly id: string };
}

export interface FoundNames {
  /** What was asked. */
  readonly text: string;
  readonly total: number;
  readonly names: readonly FoundInData[];
}

/** As many as a list shows without scrolling. */
const MOST_NAMES = 9;

export function askNames(client: ServiceClient, text: string, kinds: readonly FoundKind[]): Promise<Reply<FoundNames>> {
  const query = { Query: text, Kind: kinds, RecordCount: String(MOST_NAMES) };
  return client.ask('v1/Find', query, async (response) => {
    const found = (await response.json()) as { readonly TotalFoundCount: number; readonly Found: readonly FoundItem[] };
    return { text, total: found.TotalFoundCount, names: found.Found.map(foundName) };
  });
}

/** The kind of records whose map shows a thing of each kind. */
const MAPS: Partial<Record<FoundKind, Kind>> = { Site: 'series', ReportingUnit: 'aggregates', Right: 'rights' };

function foundName(item: FoundItem): FoundInData {
  const { Kind: kind, OrganizationUUID: organization, RecordsCounts: counts } = item;
  const filters = Object.fromEntries([...new URLSearchParams(item.Filter)].map(([name, value]) => [name, [value]]));
  // A right without an identifier of its own has that of its office.
  const identifier = item.Identifier ?? filters['AllocationNativeID']?.[0];
  const map = MAPS[kind];
  const within = [kind === 'County' ? null : item.County, item.State].filter((text) => text !== null);
  return {
    name: item.Name ?? identifier ?? '',
    says: [KIND_WORDS[kind], ...within].join(', '),
    counts: {
      rights: counts.SiteAllocationAmounts,
      series: counts.SiteVariableAmounts,
      aggregates: counts.AggregatedAmounts,
    },
    filters,
    ...(map && identifier && { feature: { kind: map, id: `${organization ?? ''}~${identifier}` } }),
  };
}

/** States that are counted beside the page, by the beginning of their name or abbreviation. */
export function statesNamed(text: string, kind: Kind, facets: Facets | undefined): readonly FoundInData[] {
  const wanted = folded(text);
  return facetValues(facets, 'State').flatMap(({ Value, Count }): readonly FoundInData[] => {
    const name = nameOfState(Value);
    const isNamed = wanted !== '' && (folded(name).startsWith(wanted) || folded(Value) === wanted);
    const counts = { rights: 0, series: 0, aggregates: 0, [kind]: Count };
    return isNamed ? [{ name, says: KIND_WORDS.State, counts, filters: { State: [Value] } }] : [];
  });
}

/** What the build makes of GeoNames (tools/build/explorer-maps.mjs), by the abbreviation of their state. */
export type Towns = Readonly<Record<string, readonly Town[]>>;

type Town = readonly [name: string, inhabitants: number, longitude: number, latitude: number];

/** A town as a suggestion. */
export interface FoundTown {
  readonly name: string;
  readonly says: string;
  readonly camera: Camera;
}

/** They stand behind what the data have, so a few are enough. */
const MOST_TOWNS = 3;

/** A town and the land around it. */
const TOWN_ZOOM = 11;

/** The largest first of those in whose name each word begins a word; `written` are the words of Find (D60). */
export function townsNamed(text: string, towns: Towns): readonly FoundTown[] {
  const wanted = wordsOf(text);
  if (wanted.length === 0) return [];
  const found = Object.entries(towns).flatMap(([state, list]) =>
    list
      .filter(([name]) => {
        const words = wordsOf(name);
        return wanted.every((beginning) => words.some((word) => word.startsWith(beginning)));
      })
      .map((town) => ({ state, town })),
  );
  const largest = found.sort((a, b) => b.town[1] - a.town[1]).slice(0, MOST_TOWNS);
  return largest.map(({ state, town: [name, , longitude, latitude] }) => ({
    name,
    says: `town, ${state}`,
    camera: { longitude, latitude, zoom: TOWN_ZOOM },
  }));
}

/** As Find compares them: without letter case, accents and apostrophes. */
function wordsOf(text: string): readonly string[] {
  const plain = text
    .normalize('NFD')
    .toLowerCase()
    .replaceAll(/[\p{M}'’]/gu, '');
  return plain.match(/[\p{L}\p{N}]+/gu) ?? [];
}

/**
 * With the filter of what was chosen, and its own page where it has one. Where the kind that is shown has none of its
 * records, the kind that has most of them is shown. To a town the map goes, with the filters as they are.
 */
export function withFound(state: ExplorerState, found: FoundName): ExplorerState {
  if ('camera' in found) return onMap(state, found.camera);
  const { counts, filters, feature } = found;
  const most = KINDS.toSorted((a, b) => counts[b] - counts[a])[0] ?? state.kind;
  const kind = counts[state.kind] === 0 ? most : state.kind;
  const filtered = withMoreFilters(withKind(state, kind), filters);
  return feature?.kind === kind ? { ...filtered, panel: undefined, place: feature.id } : filtered;
}
