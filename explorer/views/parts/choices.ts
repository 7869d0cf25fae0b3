// The values of a facet as the page lists them, and the chips of what is chosen: text for the eye, made of the state
// and the answers, without an element of the page.

import type { Facet, Inventory } from '../../requests/operations';
import type { Asked } from '../../session/asking';
import type { Session } from '../../session/session';
import { kindOf, labelOf, type Kind } from '../../state/kinds';
import { nameOfState } from '../../state/state-names';
import { folded, type ExplorerState } from '../../state/state';

export interface Choice {
  readonly value: string;
  readonly text: string;
  /** Undefined where the service did not count it. */
  readonly count: number | undefined;
  readonly isChosen: boolean;
}

/** Values that are listed before somebody asks for all. */
export const FEW_CHOICES = 8;

/** As the service counts them, most first; what is chosen and finds nothing stands at the end, to be undone. */
export function choicesOf(
  facet: Facet | undefined,
  chosen: readonly string[],
  textOf: (value: string) => string,
): readonly Choice[] {
  const wanted = new Set(chosen.map(folded));
  const values = facet?.Values ?? [];
  const known = new Set(values.map(({ Value }) => folded(Value)));
  const isEveryValueCounted = facet?.MoreValues === 0;
  const others = chosen
    .filter((value) => !known.has(folded(value)))
    .map((Value) => ({ Value, Count: isEveryValueCounted ? 0 : undefined }));
  return [...values, ...others].map(({ Value: value, Count: count }) => ({
    ...{ value, count },
    text: textOf(value),
    isChosen: wanted.has(folded(value)),
  }));
}

/** The choices that contain a text; the few most frequent, and the chosen ones, where nobody asked for all. */
export function shownChoices(choices: readonly Choice[], text: string, isAll: boolean): readonly Choice[] {
  const wanted = folded(text);
  const found = choices.filter((choice) => folded(choice.text).includes(wanted));
  return isAll || wanted !== '' ? found : found.filter(({ isChosen }, index) => isChosen || index < FEW_CHOICES);
}

export interface Chip {
  readonly name: string;
  readonly label: string;
  readonly value: string;
  readonly text: string;
}

/** Everything that is filtered, in the order of choosing. */
export function chipsOf({ kind, filters }: ExplorerState, textOf: (name: string, value: string) => string): Chip[] {
  return Object.entries(filters).flatMap(([name, values]) =>
    values.map((value) => ({
      ...{ name, value, label: filterLabel(kind, name) },
      text: name === kindOf(kind).boundary ? boundaryText(value) : textOf(name, value),
    })),
  );
}

/** What people call any filter. */
export function filterLabel(kind: Kind, name: string): string {
  const { ranges, boundary } = kindOf(kind);
  const range = ranges.find(({ from, to }) => [from, to].includes(name));
  if (range !== undefined) return `${range.label} ${name === range.from ? 'from' : 'to'}`;
  const others = { [boundary]: 'Within', ChangedSince: 'Changed since', DataVersion: 'As of' };
  return others[name] ?? labelOf(kind, name);
}

/** A boundary in a few words: coordinates say nothing to a reader. */
export function boundaryText(boundary: string): string {
  const [, form = '', rest = ''] = /^\s*([a-z]+)\s*[:(]\s*(.*)$/is.exec(boundary) ?? [];
  if (/^bbox$/i.test(form)) return `box ${rest.split(',').map(rounded).join(', ')}`;
  const words = PLACE_WORDS[form.toLowerCase()];
  if (words !== undefined) return `${words} ${rest.replace(/^([A-Z]{2})\/(.*)$/i, '$2, $1')}`;
  if (/^polygon$/i.test(form)) return `drawn area of ${rest.split(',').length - 1} corners`;
  return boundary.length > 40 ? 'drawn area' : boundary;
}

/** The names of boundaries of the service (ADR 0036) as words. */
const PLACE_WORDS: Readonly<Record<string, string>> = {
  ...{ state: 'state', county: 'county', huc8: 'watershed', site: 'site', reportingunit: 'reporting unit' },
};

function rounded(text: string): string {
  const value = Number(text);
  return Number.isNaN(value) ? text.trim() : String(Math.round(value * 100) / 100);
}

/** Organizations, sites, units and rights have names that say more than their identifiers. */
export function valueText({
  inventory,
  names,
}: Pick<Session, 'inventory' | 'names'>): (name: string, value: string) => string {
  const known = inventory.latest;
  const organizations = known?.Organizations ?? [];
  return (name, value) => {
    if (name === 'OrganizationUUID')
      return organizations.find((one) => one.OrganizationUUID === value)?.OrganizationName ?? value;
    if (name === 'State') return nameOfState(value);
    if (name === 'ChangedSince' || name === 'DataVersion') return versionText(known, value);
    return names.value.get(value) ?? value;
  };
}

/** A version by the moment at which it became current; by its beginning where the service holds it no more. */
function versionText(inventory: Inventory | undefined, version: string): string {
  const moment = momentOfVersion(inventory, version);
  return moment === undefined ? `version ${version.slice(0, 8)}` : momentText(moment);
}

/** When a version became current: the current one with the newest publish. Undefined where it is not known. */
export function momentOfVersion(inventory: Inventory | undefined, version: string): string | undefined {
  const former = inventory?.FormerDataVersions?.find(({ DataVersion }) => DataVersion === version);
  if (inventory?.DataVersion !== version) return former?.Since ?? undefined;
  return inventory.Organizations.flatMap(({ DataSets }) => DataSets.map((one) => one.PublishedAt))
    .sort()
    .at(-1);
}

export function momentText(moment: string): string {
  return new Date(moment).toLocaleString('en-US', { dateStyle: 'medium', timeStyle: 'short' });
}

/** The class of figures: `old` while those of what is asked now are awaited, `gone` when these could not be had. */
export function ageOf({ isFormer, isAsking }: Asked<unknown>): '' | 'old' | 'gone' {
  if (!isFormer) return '';
  return isAsking ? 'old' : 'gone';
}

/** The total as a sentence that a screen reader can say. */
export function totalText(kind: Kind, total: number): string {
  const { one, many } = kindOf(kind);
  return `${countText(total)} ${total === 1 ? one : many}`;
}

export function countText(count: number): string {
  return count.toLocaleString('en-US');
}
