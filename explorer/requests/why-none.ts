// Why filters find nothing, in figures of the service: what lies in the area that is chosen, and which filters like
// these find something.

import { KINDS, kindOf } from '../state/kinds';
import { areaTerms, shownBoundary } from '../state/map-kinds';
import { filterNames, type Filters, type Selection } from '../state/state';
import type { ServiceClient } from './client';
import { askFacets } from './operations';
import { together, type Reply } from './reply';

/** Filters that find something. */
export interface WayOut extends Selection {
  readonly count: number;
  /** The name of the filter that is left out; undefined where all are but the area, or the name of its county. */
  readonly without?: string;
}

export interface WhyNone {
  /** How many records of the kind lie in the area, whatever else is filtered; undefined where none is chosen. */
  readonly inArea: number | undefined;
  readonly ways: readonly WayOut[];
}

export async function askWhyNone(client: ServiceClient, selection: Selection): Promise<Reply<WhyNone>> {
  const { kind, filters } = selection;
  const without = filterNames(kind)
    .filter((name) => filters[name] !== undefined)
    .map((name) => ({ kind, filters: withoutFilter(filters, name), without: name }));
  const [area, ...elsewhere] = areaAlone(selection);
  const asked = [...(area === undefined ? [] : [area]), ...without, ...elsewhere];
  const reply = together(await Promise.all(asked.map((one) => askFacets(client, one, []))));
  if (reply.kind !== 'answer') return reply;
  const counted: WayOut[] = asked.map((way, index) => ({ ...way, count: reply.value[index]?.TotalCount ?? 0 }));
  const inArea = area === undefined ? undefined : counted.shift()?.count;
  // Where the area has records of the kind, those of others are no answer to the question.
  const ways = counted.filter((way) => way.count > 0 && (way.without !== undefined || inArea === 0));
  return { kind: 'answer', value: { inArea, ways }, version: '' };
}

/**
 * The questions about the area by itself: of the kind that is shown, of the others, and of every county of its name,
 * since a place may state its county and no state, or another. Empty where no area is chosen.
 */
function areaAlone({ kind, filters }: Selection): readonly Selection[] {
  const boundary = shownBoundary({ kind, filters });
  if (boundary === '') return [];
  // All are of one version of the data where one is asked for.
  const { DataVersion = [] } = filters;
  const others = KINDS.filter((one) => one !== kind);
  const within = [kind, ...others].map((one) => ({
    kind: one,
    filters: { [kindOf(one).boundary]: [boundary], DataVersion },
  }));
  const county = areaTerms(boundary)?.['County'];
  const isStated = kindOf(kind).facets.some(({ name }) => name === 'County');
  return county === undefined || !isStated ? within : [...within, { kind, filters: { County: county, DataVersion } }];
}

function withoutFilter(filters: Filters, name: string): Filters {
  return Object.fromEntries(Object.entries(filters).filter(([one]) => one !== name));
}
