// Formats filters and their values, data versions, counts, and the age of figures for people.

import type { Inventory } from '../../requests/inventory';
import type { QueryState } from '../../session/live-query';
import type { Session } from '../../session/session';
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
export function formatBoundary(boundary: string): string {
  const [, boundaryType = '', rest = ''] = /^\s*([a-z]+)\s*[:(]\s*(.*)$/is.exec(boundary) ?? [];
  if (/^bbox$/i.test(boundaryType)) return `box ${rest.split(',').map(roundText).join(', ')}`;
  const words = BOUNDARY_LABELS[boundaryType.toLowerCase()];
  if (words !== undefined) return `${words} ${rest.replace(/^([A-Z]{2})\/(.*)$/i, '$2, $1')}`;
  if (/^polygon$/i.test(boundaryType)) return `drawn area of ${rest.split(',').length - 1} corners`;
  return boundary.length > 40 ? 'drawn area' : boundary;
}

/** Labels of the service's boundary types (ADR 0036). */
const BOUNDARY_LABELS: Readonly<Record<string, string>> = {
  state: 'state',
  county: 'county',
  huc8: 'watershed',
  site: 'site',
  reportingunit: 'reporting unit',
};

function roundText(text: string): string {
  const value = Number(text);
  return Number.isNaN(value) ? text.trim() : String(Math.round(value * 100) / 100);
}

/** Shows names instead of identifiers of organizations, sites, units and rights. */
export function formatValue({ state, inventory, names }: Session, name: string, value: string): string {
  const published = inventory.latest;
  if (name === getKind(state.value.kind).boundary) return formatBoundary(value);
  if (name === 'OrganizationUUID')
    return published?.Organizations.find((one) => one.OrganizationUUID === value)?.OrganizationName ?? value;
  if (name === 'State') return getStateName(value);
  if (name !== 'ChangedSince' && name !== 'DataVersion') return names.value.get(value) ?? value;
  // Shows when a version became current, or its first characters if it is no longer held.
  const moment = findVersionTime(published, value);
  return moment === undefined ? `version ${value.slice(0, 8)}` : formatTime(moment);
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
  return new Date(moment).toLocaleString('en-US', { dateStyle: 'medium', timeStyle: 'short' });
}

/** The CSS class of figures: `old` while stale and loading, `gone` if stale and loading failed. */
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

export function formatCount(count: number): string {
  return count.toLocaleString('en-US');
}
