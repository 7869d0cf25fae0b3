// Finds records by a name (D60). Each suggestion has the filter that selects its records.

import { type BriefArea, findBriefArea } from '../state/brief-area';
import { withKind, withMapAt, withMoreFilters } from '../state/changes';
import { fold } from '../state/fold';
import { getKind, type Kind, KINDS } from '../state/kinds';
import type { ExplorerState, Filters } from '../state/state';
import { getStateName } from '../state/state-names';
import type { ServiceClient } from './client';
import { type Facets, getFacetValues } from './facets';
import type { Inventory } from './inventory';
import { readRecordsPage } from './records';
import type { Reply } from './reply';
import type { TownSuggestion } from './towns';

/** Labels of the kinds that Find returns, and of states, which Find does not return. */
const KIND_LABELS = {
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

export type FindKind = keyof typeof KIND_LABELS;

/** An item of /v1/Find (D60). */
interface FindItem extends Readonly<
  Record<'OrganizationUUID' | 'Identifier' | 'Name' | 'State' | 'County', string | null>
> {
  readonly Kind: FindKind;
  readonly RecordsCounts: Readonly<
    Record<'SiteVariableAmounts' | 'AggregatedAmounts' | 'SiteAllocationAmounts', number>
  >;
  readonly Filter: string;
}

/** A suggestion from the data or from the base map. */
export type Suggestion = DataSuggestion | TownSuggestion;

/** The brief of a suggested county or watershed (D82). */
export interface BriefSuggestion {
  readonly name: string;
  readonly description: string;
  readonly area: BriefArea;
}

export interface DataSuggestion {
  readonly name: string;
  readonly description: string;
  readonly counts: Readonly<Record<Kind, number>>;
  readonly filters: Filters;
  /** The feature of the item (D48), and the kind of records whose map shows it. */
  readonly feature?: { readonly kind: Kind; readonly id: string };
}

export interface FindAnswer {
  /** The text that was searched for. */
  readonly text: string;
  readonly total: number;
  readonly names: readonly DataSuggestion[];
}

/** As many suggestions as fit in the list without scrolling. */
const MAX_NAMES = 9;

interface FindReply {
  readonly TotalFoundCount: number;
  readonly Found: readonly FindItem[];
}

export async function fetchSuggestions(
  client: ServiceClient,
  text: string,
  kinds: readonly FindKind[],
): Promise<Reply<FindAnswer>> {
  const query = { Query: text, Kind: kinds, RecordCount: String(MAX_NAMES) };
  const reply = await client.request<FindReply>('v1/Find', query);
  if (reply.kind !== 'answer') return reply;
  const { TotalFoundCount: total, Found: found } = reply.value;
  const rights = found.filter(({ Kind: kind, Identifier }) => kind === 'Right' && Identifier !== null);
  const numbers = await fetchRightNumbers(client, rights);
  return { ...reply, value: { text, total, names: found.map((item) => toSuggestion(item, numbers)) } };
}

/** The numbers that organizations assigned to rights, keyed by organization and identifier. */
type RightNumbers = ReadonlyMap<string, string>;

/**
 * Find returns only the identifiers of rights, but people know rights by their numbers. Empty if the numbers cannot be
 * fetched.
 */
async function fetchRightNumbers(client: ServiceClient, rights: readonly FindItem[]): Promise<RightNumbers> {
  if (rights.length === 0) return new Map();
  const { route } = getKind('rights');
  const identifiers = rights.map(({ Identifier }) => Identifier).filter((identifier) => identifier !== null);
  const reply = await client.request(route, { AllocationUUID: identifiers, format: 'csv' }, readRecordsPage);
  if (reply.kind !== 'answer') return new Map();
  const { columns, rows } = reply.value;
  return new Map(
    rows.map((row) => {
      const cell = (name: string): string => row[columns.indexOf(name)] ?? '';
      return [`${cell('OrganizationUUID')}~${cell('AllocationUUID')}`, cell('AllocationNativeID')] as const;
    }),
  );
}

/** The kind of records whose map shows the feature. */
const MAP_KINDS: Partial<Record<FindKind, Kind>> = { Site: 'series', ReportingUnit: 'aggregates', Right: 'rights' };

function toSuggestion(item: FindItem, numbers: RightNumbers): DataSuggestion {
  const { Kind: kind, OrganizationUUID: organization, RecordsCounts: counts } = item;
  const filters = Object.fromEntries([...new URLSearchParams(item.Filter)].map(([name, value]) => [name, [value]]));
  // A right without its own identifier has the identifier of its office.
  const identifier = item.Identifier ?? filters['AllocationNativeID']?.[0];
  const id = `${organization ?? ''}~${identifier ?? ''}`;
  const number = numbers.get(id) ?? '';
  const map = MAP_KINDS[kind];
  const label = number === '' ? KIND_LABELS[kind] : `${KIND_LABELS[kind]} ${item.Identifier ?? ''}`;
  const within = kind === 'County' ? [] : [item.County, item.State].filter((text) => text !== null);
  return {
    name: number === '' ? describeName(item, filters) : `Water right ${number}`,
    description: [label, ...within].join(', '),
    counts: {
      rights: counts.SiteAllocationAmounts,
      series: counts.SiteVariableAmounts,
      aggregates: counts.AggregatedAmounts,
    },
    filters,
    ...(map && identifier && { feature: { kind: map, id } }),
  };
}

/**
 * A county is shown with its state, because several states have counties with the same name; a right is shown by its
 * number.
 */
function describeName({ Kind: kind, Name, Identifier, State }: FindItem, filters: Filters): string {
  if (kind === 'Right') return `Water right ${filters['AllocationNativeID']?.[0] ?? Identifier ?? ''}`;
  if (kind !== 'County' || Name === null) return Name ?? Identifier ?? '';
  return `${/\bcounty$/i.test(Name) ? Name : `${Name} County`}${State === null ? '' : `, ${State}`}`;
}

/** More briefs would push out other suggestions. */
const MAX_BRIEFS = 3;

/** Adds the briefs of the first counties and watersheds, each below its area. */
export function withBriefs(suggestions: readonly Suggestion[]): readonly (Suggestion | BriefSuggestion)[] {
  const areas = suggestions.filter((one) => findSuggestedArea(one) !== undefined).slice(0, MAX_BRIEFS);
  return suggestions.flatMap((suggestion) => {
    const area = areas.includes(suggestion) ? findSuggestedArea(suggestion) : undefined;
    if (area === undefined) return [suggestion];
    const name = area.type === 'huc8' ? `watershed ${area.code}` : suggestion.name;
    return [suggestion, { name: `Brief of ${name}`, description: 'one page', area }];
  });
}

/** Undefined for any suggestion other than a county or watershed. */
export function findSuggestedArea(suggestion: Suggestion): BriefArea | undefined {
  return 'filters' in suggestion ? findBriefArea(suggestion.filters) : undefined;
}

/** The code of a watershed; undefined for any other suggestion. */
export function findWatershed({ filters }: DataSuggestion): string | undefined {
  const [, code] = /^huc8:(\d{8})$/i.exec(filters['SearchBoundary']?.[0] ?? filters['SearchGeometry']?.[0] ?? '') ?? [];
  return code ?? filters['HUC8']?.[0];
}

/** States with records, by the beginning of their name or by their abbreviation. */
export function findStates(text: string, kind: Kind, facets: Facets | undefined): readonly DataSuggestion[] {
  const wanted = fold(text);
  return getFacetValues(facets, 'State').flatMap(({ Value, Count }): readonly DataSuggestion[] => {
    const name = getStateName(Value);
    const isNamed = wanted !== '' && (fold(name).startsWith(wanted) || fold(Value) === wanted);
    const counts = { rights: 0, series: 0, aggregates: 0, [kind]: Count };
    return isNamed ? [{ name, description: KIND_LABELS.State, counts, filters: { State: [Value] } }] : [];
  });
}

/** States with records of any kind, not only the shown kind, with their record counts from the inventory. */
export function findStatesOfInventory(text: string, inventory: Inventory | undefined): readonly DataSuggestion[] {
  const wanted = fold(text);
  const states = new Map<string, Record<Kind, number>>();
  for (const { DataSet, Vocabulary } of inventory?.Organizations.flatMap(({ DataSets }) => DataSets) ?? []) {
    const kind = KINDS.find((one) => getKind(one).dataSet === DataSet);
    for (const { Value, Records } of Vocabulary['State'] ?? []) {
      const counts = states.get(Value) ?? { rights: 0, series: 0, aggregates: 0 };
      if (kind !== undefined) states.set(Value, { ...counts, [kind]: counts[kind] + Records });
    }
  }
  return [...states].flatMap(([abbreviation, counts]): readonly DataSuggestion[] => {
    const name = getStateName(abbreviation);
    const isNamed = wanted !== '' && (fold(name).startsWith(wanted) || fold(abbreviation) === wanted);
    return isNamed ? [{ name, description: KIND_LABELS.State, counts, filters: { State: [abbreviation] } }] : [];
  });
}

/**
 * Applies a suggestion: adds its filter, and opens its page if it has one. If the shown kind has no records of it, shows
 * the kind with the most records. A town only moves the map.
 */
export function withSuggestion(state: ExplorerState, found: Suggestion): ExplorerState {
  if ('camera' in found) return withMapAt(state, found.camera);
  const { counts, filters, feature } = found;
  const most = KINDS.toSorted((a, b) => counts[b] - counts[a])[0] ?? state.kind;
  const kind = counts[state.kind] === 0 ? most : state.kind;
  const filtered = withMoreFilters(withKind(state, kind), filters);
  return feature?.kind === kind ? { ...filtered, panel: undefined, place: feature.id } : filtered;
}
