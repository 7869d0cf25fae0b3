// Formats filters and their values, data versions, counts, and the age of figures for people.

import type { Inventory } from '../../requests/inventory';
import type { QueryState } from '../../session/live-query';
import type { Session } from '../../session/session';
import { measureCircle } from '../../state/circles';
import { foldCountyName, formatCounty } from '../../state/county-names';
import { getKind, type Kind } from '../../state/kinds';
import { getLabel } from '../../state/labels';
import { getStateName } from '../../state/state-names';

/** The label of any filter. */
export function getFilterLabel(kind: Kind, name: string): string {
  const { ranges, boundary } = getKind(kind);
  const range = ranges.find(({ from, to }) => [from, to].includes(name));
  if (range !== undefined) return `${range.label} ${name === range.from ? 'from' : 'to'}`;
  const others = { [boundary]: 'Within', ChangedSince: 'Changed since', DataVersion: 'As of' };
  return others[name] ?? getLabel(name);
}

/** Describes a boundary in a few words, without coordinates. */
export function formatBoundary(boundary: string, watersheds: ReadonlyMap<string, string> = new Map()): string {
  const [, boundaryType = '', rest = ''] = /^\s*([a-z]+)\s*[:(]\s*(.*)$/is.exec(boundary) ?? [];
  const [, state = '', county = ''] = /^([A-Z]{2})\/(.*)$/i.exec(rest) ?? [];
  switch (boundaryType.toLowerCase()) {
    case 'bbox':
      return `box ${rest.split(',').map(roundText).join(', ')}`;
    case 'county':
      return formatCounty(county, state);
    case 'state':
      return getStateName(rest);
    case 'huc8':
      return `watershed ${formatWatershed(rest, watersheds)}`;
    case 'site':
      return `site ${rest}`;
    case 'reportingunit':
      return `area ${rest}`;
    case 'polygon': {
      const miles = measureCircle(boundary);
      return miles === undefined ? 'drawn area' : `circle of ${formatFigure(miles)} ${miles === 1 ? 'mile' : 'miles'}`;
    }
    default:
      return boundary.length > 40 ? 'drawn area' : boundary;
  }
}

/** "Upper Bear (16010101)" if a published reporting unit with this code has a name. */
export function formatWatershed(code: string, watersheds: ReadonlyMap<string, string>): string {
  const name = watersheds.get(code.trim());
  return name === undefined ? code : `${name} (${code.trim()})`;
}

function roundText(text: string): string {
  const value = Number(text);
  return Number.isNaN(value) ? text.trim() : String(Math.round(value * 100) / 100);
}

/** Shows names instead of identifiers of organizations, sites, units and rights. */
export function formatValue(session: Session, name: string, value: string): string {
  const { state, inventory, names } = session;
  const published = inventory.latest;
  const watersheds = session.watershedNames.latest;
  if (name === getKind(state.value.kind).boundary) return formatBoundary(value, watersheds);
  if (name === 'HUC8') return formatWatershed(value, watersheds ?? new Map());
  if (name === 'County') return formatChosenCounty(session, value);
  if (name === 'OrganizationUUID')
    return published?.Organizations.find((one) => one.OrganizationUUID === value)?.OrganizationName ?? value;
  if (name === 'State') return getStateName(value);
  if (['SiteUUID', 'ReportingUnitUUID', 'AllocationUUID'].includes(name)) return names.value.get(value) ?? value;
  if (name !== 'ChangedSince' && name !== 'DataVersion') return value;
  // Shows when a version became current, or its first characters if it is no longer held.
  const moment = findVersionTime(published, value);
  return moment === undefined ? `version ${value.slice(0, 8)}` : formatTime(moment);
}

/** Adds the states of the county if several states have a county with this name. */
function formatChosenCounty({ state, statesByCounty }: Session, county: string): string {
  const namesakes = statesByCounty.value.get(foldCountyName(county)) ?? new Set();
  if (namesakes.size < 2) return county;
  const { State: chosen = [] } = state.value.filters;
  const states = [...namesakes].filter((one) => chosen.length === 0 || chosen.includes(one));
  return formatCounty(county, states.sort().join(', '));
}

/** When a version became current. For the current version, the latest publication. Undefined if unknown. */
export function findVersionTime(inventory: Inventory | undefined, version: string): string | undefined {
  const previousVersion = inventory?.FormerDataVersions?.find(({ DataVersion }) => DataVersion === version);
  if (inventory?.DataVersion !== version) return previousVersion?.Since ?? undefined;
  return inventory.Organizations.flatMap(({ DataSets }) => DataSets.map((one) => one.PublishedAt))
    .sort()
    .at(-1);
}

export function formatTime(moment: string): string {
  return new Date(moment).toLocaleString('en-US', { dateStyle: 'medium', timeStyle: 'medium' });
}

/** Formats a day: Nov 28, 2026. */
export function formatDay(moment: string): string {
  return new Date(moment).toLocaleDateString('en-US', { dateStyle: 'medium', timeZone: 'UTC' });
}

/** The CSS class of figures: `old` if stale while loading, `gone` if stale after loading failed. */
export function getAgeClass({ isStale, isLoading }: QueryState<unknown>): '' | 'old' | 'gone' {
  if (!isStale) return '';
  return isLoading ? 'old' : 'gone';
}

/** The total with the name of its kind. */
export function formatTotal(kind: Kind, total: number): string {
  const { singular, plural } = getKind(kind);
  return formatQuantity(total, singular, plural);
}

export function formatQuantity(count: number, one: string, many = `${one}s`): string {
  return `${formatCount(count)} ${count === 1 ? one : many}`;
}

/** Formats a figure with at least four significant digits, and all digits before the point. */
export function formatFigure(value: number): string {
  const size = Math.abs(value);
  const decimals = size >= 10 ? 1 : 3;
  const maximumFractionDigits = size >= 1000 || Number.isInteger(value) ? 0 : decimals;
  return value.toLocaleString('en-US', { maximumFractionDigits });
}

export function formatCount(count: number): string {
  return count.toLocaleString('en-US');
}
