// Fetches the data for the seniority of a right: the right, the sources and HUC12 that it shares with other rights, and
// the rights on one of these, oldest first.

import type { PrioritizedRight } from '../state/seniority';
import { listNames } from '../state/titles';
import { type Query, readTotalCount, type ServiceClient } from './client';
import { splitFeatureId } from './map-features';
import { fetchPages } from './pages';
import { readRecordsPage, type RecordsPage } from './records';
import type { Reply } from './reply';

const ROUTE = 'v1/SiteAllocationAmounts';

/** 50,000 rights. The largest sources of whole states have fewer, and browsers can still show this many. */
const MAX_PAGES = 5;

/** The maximum number of values of a filter (D3). */
const MAX_VALUES = 100;

const BASIS_FILTERS = ['WaterSourceUUID', 'HUC12'] as const;

/** What the rights have in common: a water source, or the HUC12 of their sites. */
export interface Basis {
  readonly filter: (typeof BASIS_FILTERS)[number];
  readonly value: string;
  readonly label: string;
  /** Whether the organization gave the source a name. A source without a name may stand for a class of waters. */
  readonly isNamed: boolean;
}

export interface ListedRight extends PrioritizedRight {
  readonly organizationName: string;
  readonly number: string;
  readonly owner: string;
  readonly uses: string;
  readonly status: string;
}

/** The number by which people know the right. */
export function getRightNumber({ number, identifier }: Pick<ListedRight, 'number' | 'identifier'>): string {
  return number === '' ? identifier : number;
}

export interface Seniority {
  /** Undefined if this data version does not have the right. */
  readonly right: ListedRight | undefined;
  readonly bases: readonly Basis[];
  /** Undefined if the right has no source and its sites have no HUC12. */
  readonly basis: Basis | undefined;
  /** Whether the address names a source or HUC12 that the right does not have. */
  readonly isChoiceUnknown: boolean;
  /** Whether the list is for a HUC12 because no other right shares a source with this right. */
  readonly hasUnsharedSources: boolean;
  /** The oldest rights, at most 50,000. */
  readonly rights: readonly ListedRight[];
  readonly total: number;
}

export interface SeniorityQuestion {
  /** ORGANIZATION~IDENTIFIER. */
  readonly right: string;
  /** A filter and its value, as in the address; empty for the default. */
  readonly basis: string;
  /** Undefined for the current one. */
  readonly version: string | undefined;
}

/** Called as rights arrive. */
type Progress = (loaded: number, total: number) => void;

export async function fetchSeniority(
  client: ServiceClient,
  question: SeniorityQuestion,
  onProgress: Progress,
): Promise<Reply<Seniority>> {
  const reply = await fetchRight(client, question);
  if (reply.kind !== 'answer') return reply;
  const { right, bases } = reply.value;
  // All answers have the version of the first one.
  const version = reply.version || question.version;
  const fetchListed = (basis: Basis): Promise<Reply<ListedRights>> => fetchRights(client, basis, version, onProgress);
  const chosen = bases.find((basis) => formatBasis(basis) === question.basis);
  const list = await (chosen === undefined
    ? fetchFirstShared(bases, fetchListed, (some) => countRights(client, some, version))
    : withBasis(chosen, fetchListed(chosen)));
  if (list.kind !== 'answer') return list;
  const { basis, rights, total } = list.value;
  const isChoiceUnknown = chosen === undefined && question.basis !== '';
  const hasSources = bases.some(({ filter }) => filter === 'WaterSourceUUID');
  const hasUnsharedSources = chosen === undefined && hasSources && basis?.filter === 'HUC12';
  return { ...list, value: { right, bases, basis, isChoiceUnknown, hasUnsharedSources, rights, total } };
}

/** Formats a basis as it is written in the address. */
export function formatBasis({ filter, value }: Basis): string {
  return `${filter}:${value}`;
}

interface ListedRights {
  readonly rights: readonly ListedRight[];
  readonly total: number;
}

type ChosenList = ListedRights & { readonly basis: Basis | undefined };

async function withBasis(basis: Basis, list: Promise<Reply<ListedRights>>): Promise<Reply<ChosenList>> {
  const reply = await list;
  return reply.kind === 'answer' ? { ...reply, value: { ...reply.value, basis } } : reply;
}

/** The first source with other rights, else the first HUC12 with other rights, else the first basis of all. */
async function fetchFirstShared(
  bases: readonly Basis[],
  fetchListed: (basis: Basis) => Promise<Reply<ListedRights>>,
  countRights: (bases: readonly Basis[]) => Promise<Reply<number>>,
): Promise<Reply<ChosenList>> {
  let first: Reply<ChosenList> | undefined;
  for (const name of BASIS_FILTERS) {
    const [next, ...others] = bases.filter(({ filter }) => filter === name).slice(0, MAX_VALUES);
    if (next === undefined) continue;
    const list = await withBasis(next, fetchListed(next));
    if (list.kind !== 'answer' || list.value.total > 1) return list;
    first ??= list;
    const shared = await findFirstShared(others, countRights);
    if (shared.kind !== 'answer') return shared;
    if (shared.value !== undefined) return withBasis(shared.value, fetchListed(shared.value));
  }
  return first ?? { kind: 'answer', value: { basis: undefined, rights: [], total: 0 }, version: '' };
}

/** Searches by bisection, so that a right with dozens of unshared sources needs only a few requests. */
async function findFirstShared(
  bases: readonly Basis[],
  countRights: (bases: readonly Basis[]) => Promise<Reply<number>>,
): Promise<Reply<Basis | undefined>> {
  let candidates = bases;
  const all = await countRights(candidates);
  if (all.kind !== 'answer') return all;
  if (all.value <= 1) return { ...all, value: undefined };
  while (candidates.length > 1) {
    const half = candidates.slice(0, Math.ceil(candidates.length / 2));
    const count = await countRights(half);
    if (count.kind !== 'answer') return count;
    candidates = count.value > 1 ? half : candidates.slice(half.length);
  }
  return { ...all, value: candidates[0] };
}

/** Counts the rights that match any of these bases, which must all use the same filter. */
async function countRights(
  client: ServiceClient,
  bases: readonly Basis[],
  version: string | undefined,
): Promise<Reply<number>> {
  const [first] = bases;
  if (first === undefined) return { kind: 'answer', value: 0, version: '' };
  const values = { [first.filter]: bases.map(({ value }) => value) };
  const read = (response: Response): Promise<number> => Promise.resolve(readTotalCount(response));
  return client.request(ROUTE, { ...values, RecordCount: '1', DataVersion: version }, read);
}

async function fetchRights(
  client: ServiceClient,
  { filter, value }: Basis,
  version: string | undefined,
  onProgress: Progress,
): Promise<Reply<ListedRights>> {
  const query = { [filter]: value, OrderBy: 'AllocationPriorityDate', DataVersion: version, format: 'csv' };
  const read = async (response: Response): Promise<readonly ListedRight[]> =>
    readRights(await readRecordsPage(response));
  const reply = await fetchPages(client, { route: ROUTE, query, read, maxPages: MAX_PAGES, onPage: onProgress });
  if (reply.kind !== 'answer') return reply;
  const { pages, total } = reply.value;
  return { ...reply, value: { rights: pages.flat(), total } };
}

/** Keeps only the columns of the list: all columns of 50,000 rights would take hundreds of megabytes. */
function readRights({ columns, rows }: RecordsPage): readonly ListedRight[] {
  const at = new Map(columns.map((name, index) => [name, index]));
  return rows.map((row) => {
    const cell = (name: string): string => row[at.get(name) ?? -1] ?? '';
    return {
      organization: cell('OrganizationUUID'),
      organizationName: cell('OrganizationName'),
      identifier: cell('AllocationUUID') || cell('AllocationNativeID'),
      number: cell('AllocationNativeID'),
      owner: cell('AllocationOwner'),
      uses: listNames(cell('BeneficialUses')).join(', '),
      status: cell('AllocationLegalStatusCodeCV'),
      date: cell('AllocationPriorityDate').slice(0, 10),
      flow: cell('AllocationFlow_CFS'),
      volume: cell('AllocationVolume_AF'),
    };
  });
}

/** The members of an answer (D24, D27) that this file reads. */
interface RightAnswer {
  readonly Organizations: readonly {
    readonly OrganizationName: string;
    readonly WaterSources: readonly WaterSource[];
    readonly Sites: readonly Site[];
    readonly WaterAllocations: readonly Allocation[];
  }[];
}

interface WaterSource {
  readonly WaterSourceUUID: string;
  readonly WaterSourceName: string | null;
  readonly WaterSourceNativeID: string | null;
  readonly WaterSourceTypeCV: string | null;
}

interface Site {
  readonly HUC12: string | null;
  readonly WaterSourceUUIDs: readonly string[];
}

interface Allocation {
  readonly AllocationUUID: string | null;
  readonly AllocationNativeID: string | null;
  readonly AllocationOwner: string | null;
  readonly AllocationPriorityDate: string | null;
  readonly AllocationLegalStatusCodeCV: string | null;
  readonly AllocationFlow_CFS: number | null;
  readonly AllocationVolume_AF: number | null;
  readonly BeneficialUses: readonly string[];
  readonly WaterSourceUUID: string | null;
}

interface RightWithBases {
  readonly right: ListedRight | undefined;
  readonly bases: readonly Basis[];
}

/** A right without an AllocationUUID is identified by its AllocationNativeID (D48). */
async function fetchRight(
  client: ServiceClient,
  { right: id, version }: SeniorityQuestion,
): Promise<Reply<RightWithBases>> {
  const { organization, identifier } = splitFeatureId(id);
  const ask = (query: Query): Promise<Reply<RightAnswer>> =>
    client.request<RightAnswer>(ROUTE, { OrganizationUUID: organization, ...query, DataVersion: version });
  let reply = await ask({ AllocationUUID: identifier });
  if (reply.kind === 'answer' && reply.value.Organizations.length === 0)
    reply = await ask({ AllocationNativeID: identifier });
  if (reply.kind !== 'answer') return reply;
  const [answered] = reply.value.Organizations;
  const allocation = answered?.WaterAllocations.find(
    ({ AllocationUUID, AllocationNativeID }) => (AllocationUUID ?? AllocationNativeID) === identifier,
  );
  if (answered === undefined || allocation === undefined) return { ...reply, value: { right: undefined, bases: [] } };
  const right: ListedRight = {
    organization,
    organizationName: answered.OrganizationName,
    identifier,
    number: allocation.AllocationNativeID ?? '',
    owner: allocation.AllocationOwner ?? '',
    uses: allocation.BeneficialUses.join(', '),
    status: allocation.AllocationLegalStatusCodeCV ?? '',
    date: (allocation.AllocationPriorityDate ?? '').slice(0, 10),
    flow: String(allocation.AllocationFlow_CFS ?? ''),
    volume: String(allocation.AllocationVolume_AF ?? ''),
  };
  return { ...reply, value: { right, bases: listBases(allocation, answered.Sites, answered.WaterSources) } };
}

/** The right's own source first, then those of its sites, then the HUC12 of its sites. */
function listBases(
  { WaterSourceUUID: own }: Allocation,
  sites: readonly Site[],
  sources: readonly WaterSource[],
): readonly Basis[] {
  const described = new Map(sources.map((source) => [source.WaterSourceUUID, source]));
  const identifiers = [...(own === null ? [] : [own]), ...sites.flatMap(({ WaterSourceUUIDs }) => WaterSourceUUIDs)];
  const watersheds = sites.map(({ HUC12 }) => HUC12).filter((code) => code !== null);
  return [
    ...[...new Set(identifiers)].map((identifier) => describeSource(identifier, described.get(identifier))),
    ...[...new Set(watersheds)].map((code): Basis => {
      return { filter: 'HUC12', value: code, label: `subwatershed ${code}`, isNamed: true };
    }),
  ];
}

function describeSource(identifier: string, source: WaterSource | undefined): Basis {
  const [name = ''] = listNames(source?.WaterSourceName ?? '');
  const [type = ''] = listNames(source?.WaterSourceTypeCV ?? '');
  const number = source?.WaterSourceNativeID ?? identifier;
  const label = name === '' ? `water source ${number}` : `${name}, water source ${number}`;
  const isNamed = name !== '';
  return { filter: 'WaterSourceUUID', value: identifier, label: type === '' ? label : `${label} (${type})`, isNamed };
}
