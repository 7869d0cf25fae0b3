// One feature of the map, by its identifier (D48): a right, or a site or a reporting unit with its series.

import { kindOf, type Kind } from '../state/kinds';
import type { ServiceClient } from './client';
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

/** A member of one series of a place; empty where it has none. */
export type FeatureSeries = (member: string) => string;

/** The organization's identifier has no `~`; what follows the first one is the feature's own. */
export function splitFeatureId(id: string): { readonly organization: string; readonly identifier: string } {
  const at = id.indexOf('~');
  return { organization: id.slice(0, at), identifier: id.slice(at + 1) };
}

/** The permanent address of its page (D49). */
export function pageAddress(client: ServiceClient, kind: Kind, id: string): string {
  return client.addressOf(featureRoute(kind, id), []);
}

function featureRoute(kind: Kind, id: string): string {
  return `ogc/collections/${kindOf(kind).places.collection}/items/${encodeURIComponent(id)}`;
}

type Properties = Readonly<Record<string, string | number | boolean | null | readonly string[]>>;

/** Without members where this version of the data does not have it. */
export async function askMapFeature(client: ServiceClient, kind: Kind, id: string): Promise<Reply<MapFeature>> {
  const reply = await client.askJson<{ readonly properties: Properties }>(featureRoute(kind, id), [['f', 'json']]);
  if (reply.kind === 'failed' && reply.status === 404)
    return { kind: 'answer', value: { members: [], series: [] }, version: '' };
  if (reply.kind !== 'answer') return reply;
  const { properties } = reply.value;
  // The lists of a right are those of its sites and uses; the lists of a place are its series.
  const shown = Object.entries(properties).filter(([, value]) => kind === 'rights' || !Array.isArray(value));
  const members = shown.map(([name, value]) => [name, cellOf(value)] as const).filter(([, cell]) => cell !== '');
  return { ...reply, value: { members, series: kind === 'rights' ? [] : seriesIn(properties) } };
}

/** As the CSV form has it, which the table shows, too. */
function cellOf(value: Properties[string] | undefined): string {
  if (value === null || value === undefined) return '';
  if (typeof value !== 'object') return String(value);
  return value.map((item) => item.replaceAll(/[\\|]/g, '\\$&')).join('|');
}

function seriesIn(properties: Properties): readonly FeatureSeries[] {
  const listOf = (name: string): readonly string[] => {
    const value = properties[name];
    return typeof value === 'object' && value !== null ? value : [];
  };
  return listOf('RecordsCount').map((_, index) => (member) => listOf(member)[index] ?? '');
}
