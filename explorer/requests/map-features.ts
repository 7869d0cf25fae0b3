// Fetches one feature of the map by its identifier (D48).

import { getKind, type Kind } from '../state/kinds';
import { buildTitle, type ReadMember } from '../state/titles';
import type { ServiceClient } from './client';
import { collectPositions } from './extents';
import type { Reply } from './reply';

/** The members of a feature that have a value, in order, with its series. */
export interface MapFeature {
  readonly members: readonly (readonly [name: string, value: string])[];
  readonly series: readonly FeatureSeries[];
  /** Longitude and latitude of each position of a right or site. */
  readonly points: readonly (readonly [longitude: number, latitude: number])[];
}

/** Returns an empty string for a member that the feature does not have. */
export function createMemberReader({ members }: Pick<MapFeature, 'members'>): ReadMember {
  const membersByName = new Map(members);
  return (name) => membersByName.get(name) ?? '';
}

/** Undefined if this data version does not have the feature. */
export function getFeatureName(kind: Kind, feature: MapFeature): string | undefined {
  return feature.members.length === 0 ? undefined : buildTitle(kind, createMemberReader(feature));
}

/** Returns a member of one series of a place, or an empty string. */
export type FeatureSeries = (member: string) => string;

/** An organization's identifier contains no `~`, so the part after the first `~` is the feature's own identifier. */
export function splitFeatureId(id: string): { readonly organization: string; readonly identifier: string } {
  const at = id.indexOf('~');
  return { organization: id.slice(0, at), identifier: id.slice(at + 1) };
}

/** The permanent address of the feature's page (D49). */
export function buildPageUrl(client: ServiceClient, kind: Kind, id: string): string {
  return client.buildUrl(buildFeatureRoute(kind, id));
}

function buildFeatureRoute(kind: Kind, id: string): string {
  return `ogc/collections/${getKind(kind).places.collection}/items/${encodeURIComponent(id)}`;
}

interface Feature {
  readonly properties: Properties;
  readonly geometry: { readonly coordinates?: unknown } | null;
}

type Properties = Readonly<Record<string, string | number | boolean | null | readonly string[]>>;

/** Has no members if this data version does not have the feature. */
export async function fetchMapFeature(client: ServiceClient, kind: Kind, id: string): Promise<Reply<MapFeature>> {
  const reply = await client.request<Feature>(buildFeatureRoute(kind, id), { f: 'json' });
  if (reply.kind === 'failed' && reply.status === 404)
    return { kind: 'answer', value: { members: [], series: [], points: [] }, version: '' };
  if (reply.kind !== 'answer') return reply;
  const { properties, geometry } = reply.value;
  const points = kind === 'aggregates' ? [] : collectPositions(geometry?.coordinates);
  // Lists of a right are its sites and uses. Lists of a place are its series and are shown separately.
  const shown = Object.entries(properties).filter(([, value]) => kind === 'rights' || !Array.isArray(value));
  const members = shown.map(([name, value]) => [name, formatCell(value)] as const).filter(([, cell]) => cell !== '');
  return { ...reply, value: { members, points, series: kind === 'rights' ? [] : readSeries(properties) } };
}

/** Formats a value as the CSV format and the table do. */
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
