// The area of a brief: a county or a watershed, in the service's notation for boundaries (ADR 0036), and the address of
// the brief.

import { BOUNDARY_NAMES, LINK_PARAMETERS } from './address';
import type { Filters } from './state';
import type { ReadMember } from './titles';

/** `boundary` is a value of SearchBoundary, such as `county:UT/Cache` or `huc8:16010202`. */
export type BriefArea =
  | { readonly type: 'county'; readonly state: string; readonly name: string; readonly boundary: string }
  | { readonly type: 'huc8'; readonly code: string; readonly boundary: string };

/** The parts of the address of a brief. */
export interface BriefAddress {
  /** Undefined if the address contains no county or watershed. */
  readonly area: BriefArea | undefined;
  /** The boundary as written; empty if there is none. */
  readonly text: string;
  /** The pinned data version; empty for the current one. */
  readonly version: string;
  /** Unknown parameters of the address, as written. */
  readonly unread: readonly string[];
}

/** Undefined for any other boundary. */
function parseBriefArea(boundary: string): BriefArea | undefined {
  const [, state = '', name = ''] = /^\s*county:\s*([a-z]{2})\/(.+?)\s*$/i.exec(boundary) ?? [];
  if (name !== '') return createCounty(state, name);
  const [, code] = /^\s*huc8:\s*(\d{8})\s*$/i.exec(boundary) ?? [];
  return code === undefined ? undefined : { type: 'huc8', code, boundary: `huc8:${code}` };
}

function createCounty(state: string, name: string): BriefArea {
  return { type: 'county', state: state.toUpperCase(), name, boundary: `county:${state.toUpperCase()}/${name}` };
}

/** The county or watershed chosen by the filters of the explorer, if it is exactly one. */
export function findBriefArea(filters: Filters): BriefArea | undefined {
  const value = (name: string): string => (filters[name]?.length === 1 ? (filters[name][0] ?? '') : '');
  const [boundaries = []] = Object.entries(filters).flatMap(([name, values]) =>
    BOUNDARY_NAMES.includes(name.toLowerCase()) ? [values] : [],
  );
  if (boundaries[0] !== undefined) return parseBriefArea(boundaries[0]);
  if (value('HUC8') !== '') return parseBriefArea(`huc8:${value('HUC8')}`);
  return value('County') === '' ? undefined : parseBriefArea(`county:${value('State')}/${value('County')}`);
}

/** The county or watershed that a reporting unit is, by its type; undefined for other units. */
export function findUnitArea(read: ReadMember): BriefArea | undefined {
  const type = read('ReportingUnitTypeCV').trim();
  if (/^count(y|ies)$/i.test(type)) {
    return parseBriefArea(`county:${read('StateCV') || read('OrganizationState')}/${read('ReportingUnitName')}`);
  }
  const [code = ''] = /\d{7,8}$/.exec(read('ReportingUnitNativeID')) ?? [];
  return /^huc[\s-]?0?8$/i.test(type) ? parseBriefArea(`huc8:${code.padStart(8, '0')}`) : undefined;
}

/** Relative to the address of the service. An empty version means the current one. */
export function buildBriefRoute({ boundary }: BriefArea, version = ''): string {
  const query = new URLSearchParams({ SearchBoundary: boundary, ...(version !== '' && { DataVersion: version }) });
  return `explore/brief?${query.toString().replaceAll('%2F', '/').replaceAll('%3A', ':')}`;
}

/** The filter names that the address of a brief may contain. */
const FILTER_NAMES = ['State', 'County', 'HUC8'];

/** Names are case-insensitive, as in the service (D1). */
export function readBriefAddress(query: string): BriefAddress {
  const filters: Record<string, string[]> = {};
  const unread: string[] = [];
  let text = '';
  let version = '';
  for (const [writtenName, value] of new URLSearchParams(query)) {
    const name = writtenName.toLowerCase();
    const filter = FILTER_NAMES.find((one) => one.toLowerCase() === name);
    if (value === '' || LINK_PARAMETERS.test(name)) continue;
    if (BOUNDARY_NAMES.includes(name)) text = value;
    else if (name === 'dataversion') version = value;
    else if (filter !== undefined) filters[filter] = [...(filters[filter] ?? []), value];
    else unread.push(`${writtenName}=${value}`);
  }
  const area = text === '' ? findBriefArea(filters) : parseBriefArea(text);
  return { area, text: text || describeFilters(filters), version, unread };
}

function describeFilters(filters: Filters): string {
  return Object.entries(filters)
    .flatMap(([name, values]) => values.map((value) => `${name}=${value}`))
    .join(', ');
}

/** The filters of the explorer for an area. They are the same in every kind, except for the name of the boundary. */
export function toAreaFilters({ boundary }: BriefArea, boundaryName: string, version: string): Filters {
  return { [boundaryName]: [boundary], ...(version !== '' && { DataVersion: [version] }) };
}
