// One feature of the map, by the identifier that its feature has (D48): a right as a row of its table, a site
// or a reporting unit with its series (D42, D43).

import { mapCollectionOf } from '../state/map-kinds';
import type { Kind } from '../state/kinds';
import type { ServiceClient } from './client';
import { askRecords } from './operations';
import type { Reply } from './reply';

/** Members of a feature that have a value, in order. */
export interface MapFeature {
  readonly members: readonly (readonly [name: string, value: string])[];
  readonly series: readonly FeatureSeries[];
}

/** The members by which people call it, the first that it has. */
const NAMES = ['AllocationOwner', 'SiteName', 'ReportingUnitName', 'AllocationNativeID'];

export function nameOfFeature({ members }: MapFeature): string | undefined {
  const known = new Map(members);
  return NAMES.flatMap((name) => known.get(name) ?? [])[0];
}

export interface FeatureSeries {
  readonly VariableSpecificTypeCV: string | null;
  readonly VariableCV: string | null;
  readonly AmountUnitCV: string | null;
  readonly RecordsCount: number;
  readonly YearsCount: number;
  readonly FirstDay: string | null;
  readonly LastDay: string | null;
}

export interface FeatureIdentity {
  readonly organization: string;
  readonly identifier: string;
}

/** The organization's identifier has no `~`; what follows the first one is the feature's own. */
export function splitFeatureId(id: string): FeatureIdentity {
  const at = id.indexOf('~');
  return { organization: id.slice(0, at), identifier: id.slice(at + 1) };
}

/** The permanent address of its page (D49). */
export function pageAddress(client: ServiceClient, kind: Kind, id: string): string {
  return client.addressOf(`ogc/collections/${mapCollectionOf(kind).collection}/items/${encodeURIComponent(id)}`, []);
}

export function askMapFeature(
  client: ServiceClient,
  kind: Kind,
  id: string,
  signal: AbortSignal,
): Promise<Reply<MapFeature>> {
  switch (kind) {
    case 'rights':
      return askRight(client, id, signal);
    case 'series':
      return askPlace(client, { route: 'v1/Sites', name: 'SiteUUID', list: 'Sites' }, id, signal);
    case 'aggregates':
      return askPlace(
        client,
        { route: 'v1/ReportingUnits', name: 'ReportingUnitUUID', list: 'ReportingUnits' },
        id,
        signal,
      );
  }
}

/** By its UUID, or by its native identifier where it has no other. */
async function askRight(client: ServiceClient, id: string, signal: AbortSignal): Promise<Reply<MapFeature>> {
  const { organization, identifier } = splitFeatureId(id);
  const asked = { kind: 'rights', order: '' } as const;
  const page = { start: 0, count: 1 };
  const organizations = { OrganizationUUID: [organization] };
  let reply = await askRecords(
    client,
    { ...asked, filters: { ...organizations, AllocationUUID: [identifier] } },
    page,
    signal,
  );
  if (reply.kind === 'answer' && reply.value.total === 0) {
    reply = await askRecords(
      client,
      { ...asked, filters: { ...organizations, AllocationNativeID: [identifier] } },
      page,
      signal,
    );
  }
  if (reply.kind !== 'answer') return reply;
  const { columns, rows } = reply.value;
  const members = columns.map((name, at) => [name, rows[0]?.[at] ?? ''] as const).filter(([, value]) => value !== '');
  return { ...reply, value: { members, series: [] } };
}

interface PlaceOperation {
  readonly route: string;
  readonly name: string;
  /** The member of the envelope's organizations that lists the places. */
  readonly list: string;
}

type PlaceItem = Readonly<Record<string, unknown>> & { readonly Series: readonly FeatureSeries[] };

async function askPlace(
  client: ServiceClient,
  { route, name, list }: PlaceOperation,
  id: string,
  signal: AbortSignal,
): Promise<Reply<MapFeature>> {
  const { organization, identifier } = splitFeatureId(id);
  const query = [[name, identifier] as const, ['OrganizationUUID', organization] as const];
  const reply = await client.askJson<{ readonly Organizations: readonly Readonly<Record<string, unknown>>[] }>(
    ...[route, query, signal],
  );
  if (reply.kind !== 'answer') return reply;
  const [item] = (reply.value.Organizations[0]?.[list] ?? []) as readonly PlaceItem[]; // The form of D42 and D43.
  const { Series: series = [], ...others } = item ?? {};
  const members = Object.entries(others).flatMap(([member, value]): [string, string][] =>
    typeof value === 'string' || typeof value === 'number' ? [[member, String(value)]] : [],
  );
  return { ...reply, value: { members, series } };
}
