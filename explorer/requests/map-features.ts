// Fetches one feature of the map by its identifier (D48).

import { getKind, type Kind } from '../state/kinds';
import type { ServiceClient } from './client';
import type { Reply } from './reply';

/** Members of a feature that have a value, in order. */
export interface MapFeature {
  readonly members: readonly (readonly [name: string, value: string])[];
  readonly series: readonly FeatureSeries[];
}

/** The members by which people call it, the first that it has. */
const NAMES = ['AllocationOwner', 'SiteName', 'ReportingUnitName', 'AllocationNativeID'];

export function getFeatureName({ members }: MapFeature): string | undefined {
  const membersByName = new Map(members);
  return NAMES.flatMap((name) => membersByName.get(name) ?? [])[0];
}

/** A member of one series of a place; empty where it has none. */
export type FeatureSeries = (member: string) => string;

/** The organization's identifier has no `~`; what follows the first one is the feature's own. */
export function splitFeatureId(id: string): { readonly organization: string; readonly identifier: string } {
  const at = id.indexOf('~');
  return { organization: id.slice(0, at), identifier: id.slice(at + 1) };
}

/** The permanent address of its page (D49). */
export function buildPageUrl(client: ServiceClient, kind: Kind, id: string): string {
  return client.buildUrl(buildFeatureRoute(kind, id));
}

function buildFeatureRoute(kind: Kind, id: string): string {
  return `ogc/collections/${getKind(kind).places.collection}/items/${encodeURIComponent(id)}`;
}

type Properties = Readonly<Record<string, string | number | boolean | null | readonly string[]>>;

/** Without members where this version of the data does not have it. */
export async function fetchMapFeature(client: ServiceClient, kind: Kind, id: string): Promise<Reply<MapFeature>> {
  const reply = await client.request<{ readonly properties: Properties }>(buildFeatureRoute(kind, id), { f: 'json' });
  if (reply.kind === 'failed' && reply.status === 404)
    return { kind: 'answer', value: { members: [], series: [] }, version: '' };
  if (reply.kind !== 'answer') return reply;
  const { properties } = reply.value;
  // The lists of a right are those of its sites and uses; the lists of a place are its series.
  const shown = Object.entries(properties).filter(([, value]) => kind === 'rights' || !Array.isArray(value));
  const members = shown.map(([name, value]) => [name, formatCell(value)] as const).filter(([, cell]) => cell !== '');
  return { ...reply, value: { members, series: kind === 'rights' ? [] : readSeries(properties) } };
}

/** As the CSV form has it, which the table shows, too. */
function formatCell(value: Properties[string] | undefined): string {
  if (value === null || value === undefined) return '';
  if (typeof value !== 'object') return String(value);
  return value.map((item) => item.replaceAll(/[\\|]/g, '\\$&')).join('|');
}

function readSeries(properties: Properties): readonly FeatureSeries[] {
  const readList = (name: string): readonly string[] => {
    const value = properties[name];
    return typeof value === 'object' && value !== null ? value : [];
  };
  return readList('RecordsCount').map((_, index) => (member) => readList(member)[index] ?? '');
}
