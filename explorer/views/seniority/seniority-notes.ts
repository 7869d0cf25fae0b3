// Notes for the reader of a list of rights: what it omits, and the limits of its figures.

import type { ListedRight, Seniority } from '../../requests/seniority';
import type { SeniorityList } from '../../state/seniority';
import { formatCount, formatQuantity } from '../parts/texts';

/** The maximum number of names in a sentence. */
const MAX_NAMED = 5;

export function listNotes(seniority: Seniority, list: SeniorityList<ListedRight>): readonly string[] {
  return [
    ...describeBasis(seniority),
    ...describeOrder(list),
    ...describeAmounts(list),
    describeStatuses(seniority.rights),
    ...describeOrganizations(seniority.rights),
    'Seasons, conditions and places of use are not considered. A supplemental right can count the same water twice.',
    'This list is based on published data. It is not a legal determination of priority: ask the agency that issues the rights.',
  ];
}

/** How many rights are senior and junior to the right. */
export function describeStanding({ right, rights, total, bases }: Seniority, list: SeniorityList<ListedRight>): string {
  const { senior, sameDay, junior, undated, rows } = list;
  if (rows.length < 2) {
    const hasHuc12 = bases.some(({ filter }) => filter === 'HUC12');
    const others = hasHuc12 ? '' : ', and its sites state no HUC12';
    return `There is no other right to compare this one with${others}.`;
  }
  if (right === undefined || right.date === '')
    return 'This right has no priority date, so it cannot be compared with the others.';
  // The list has the oldest rights, so all omitted rights are junior to the listed ones.
  const isComplete = rights.length >= total;
  const isListed = rows.some(({ relation }) => relation === 'this');
  const atLeast = (isExact: boolean): string => (isExact ? '' : 'at least ');
  // If the right is younger than all listed rights, some of its senior rights and all of its junior rights are not
  // listed.
  const isPlaced = isComplete || isListed;
  const parts = [
    `${atLeast(isPlaced)}${formatQuantity(senior.count, 'right is', 'rights are')} senior to this one`,
    ...(sameDay.count === 0 ? [] : [`${formatCount(sameDay.count)} ${have(sameDay.count)} the same priority date`]),
    ...(isPlaced ? [`${atLeast(isComplete)}${formatCount(junior.count)} ${isOrAre(junior.count)} junior`] : []),
  ];
  const without = `${formatQuantity(undated.count, 'right has', 'rights have')} no priority date.`;
  const last = parts.at(-1) ?? '';
  const sentence = parts.length === 1 ? last : `${parts.slice(0, -1).join(', ')} and ${last}`;
  return `${capitalize(sentence)}.${undated.count === 0 ? '' : ` ${without}`}`;
}

/** Explains why not all rights are listed; empty if all are. */
export function describeLimit({ rights, total, right }: Seniority, list: SeniorityList<ListedRight>): string {
  if (rights.length >= total) return '';
  const isListed = list.rows.some(({ relation }) => relation === 'this');
  const own =
    isListed || right === undefined ? '' : ' This right is not among them, so more rights may be senior to it.';
  return (
    `There are ${formatCount(total)} rights. The list shows the ${formatCount(rights.length)} oldest, and its sums ` +
    `are complete for them. The others are newer, or have no priority date.${own} To get all of them, open them in the ` +
    'explorer and download them.'
  );
}

function describeBasis({ basis, bases, hasUnsharedSources }: Seniority): readonly string[] {
  const sources = bases.filter(({ filter }) => filter === 'WaterSourceUUID').length;
  const several =
    sources > 1
      ? [`This right lists ${formatCount(sources)} water sources. The list is for one of them; choose another above.`]
      : [];
  if (basis?.filter === 'HUC12') {
    const shared =
      'The list shows the rights with a site in the same subwatershed (HUC12). They may use different streams or aquifers.';
    return [...explainHuc12(sources, hasUnsharedSources), shared, ...several];
  }
  const unnamed = 'The agency gives no name for this water source. It may stand for several bodies of water.';
  const whole = 'A right with several sources counts with its full flow and volume for each of them.';
  return [...(basis?.isNamed === false ? [unnamed] : []), ...several, whole];
}

function explainHuc12(sources: number, hasUnsharedSources: boolean): readonly string[] {
  if (sources === 0) return ['This right lists no water source.'];
  return hasUnsharedSources ? ['No other right shares a water source with this one.'] : [];
}

function describeOrder({ undated, partialDates, sameDay }: SeniorityList<ListedRight>): readonly string[] {
  const ties =
    'The oldest priority date comes first. Rights with the same date are listed in the order of the data, and none of them ranks above the others.';
  const last = `${formatQuantity(undated.count, 'right has', 'rights have')} no priority date. They come last, and the running sums leave them out.`;
  const partial = `${formatQuantity(partialDates, 'priority date has', 'priority dates have')} no day. They count as the first day of their month or year.`;
  return [
    sameDay.count > 0 ? ties : ties.replace(', and none of them ranks above the others', ''),
    ...(undated.count > 0 ? [last] : []),
    ...(partialDates > 0 ? [partial] : []),
  ];
}

function describeAmounts({ dated }: SeniorityList<ListedRight>): readonly string[] {
  const units = 'Flow (CFS) and volume (AF) are added up separately, and never converted.';
  const { flow, volume, count } = dated;
  if (flow.missing + volume.missing === 0) return [units];
  const lacking =
    `Of ${formatQuantity(count, 'right')} with a priority date, ${formatCount(flow.missing)} ${have(flow.missing)} no flow ` +
    `and ${formatCount(volume.missing)} ${have(volume.missing)} no volume. The sums leave these out.`;
  return [`${units} ${lacking}`];
}

function describeStatuses(rights: readonly ListedRight[]): string {
  const statuses = countBy(rights, ({ status }) => status || 'not stated');
  return `Rights of every legal status are listed: ${formatCounts(statuses)}.`;
}

function describeOrganizations(rights: readonly ListedRight[]): readonly string[] {
  const organizations = countBy(rights, ({ organizationName }) => organizationName);
  if (organizations.length < 2) return [];
  const names = formatCounts(organizations);
  return [`The rights come from ${formatCount(organizations.length)} organizations, whose rules can differ: ${names}.`];
}

type Counts = readonly (readonly [name: string, count: number])[];

function countBy(rights: readonly ListedRight[], getName: (right: ListedRight) => string): Counts {
  const counts = new Map<string, number>();
  for (const right of rights) counts.set(getName(right), (counts.get(getName(right)) ?? 0) + 1);
  return [...counts].toSorted((a, b) => b[1] - a[1]);
}

function formatCounts(counts: Counts): string {
  const named = counts.slice(0, MAX_NAMED).map(([name, count]) => `${name} ${formatCount(count)}`);
  const more = counts.length - named.length;
  return [...named, ...(more > 0 ? [`${formatCount(more)} more`] : [])].join(', ');
}

function capitalize(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

function isOrAre(count: number): string {
  return count === 1 ? 'is' : 'are';
}

function have(count: number): string {
  return count === 1 ? 'has' : 'have';
}
