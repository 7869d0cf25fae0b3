// Lists the catalog states for an operator, with the data sets that each state added or removed.

import {
  type CatalogEntry,
  type CatalogState,
  EMPTY_STATE,
  type HeldDataSet,
  isSameDataSet,
} from '../shared/store/catalog-types';

type PublishedState = CatalogState & {
  /** Entries that the previous state lacks. For the oldest state of the history, all of its entries. */
  readonly brought: readonly CatalogEntry[];
  /** Entries of the previous state whose data sets this state lacks. */
  readonly tookOut: readonly CatalogEntry[];
  /** Data sets with a submission that waits for confirmation. Only the current state lists any. */
  readonly held?: readonly HeldDataSet[];
};

/** The states of the history with their changes, newest first. The newest also lists the data sets that are on hold. */
export function describeStates(
  history: readonly CatalogState[],
  held: readonly HeldDataSet[] = [],
): readonly PublishedState[] {
  const states = history.length === 0 && held.length > 0 ? [EMPTY_STATE] : history;
  return states.map((state, index) => {
    const before = history[index + 1]?.entries ?? [];
    const isNew = (entry: CatalogEntry): boolean => !before.some(({ releaseId }) => releaseId === entry.releaseId);
    const isGone = (previous: CatalogEntry): boolean => !state.entries.some((entry) => isSameDataSet(entry, previous));
    const waiting = index === 0 && held.length > 0 ? { held } : {};
    return { ...state, ...waiting, brought: state.entries.filter(isNew), tookOut: before.filter(isGone) };
  });
}

export function formatStates([current, ...previous]: readonly PublishedState[]): string {
  if (current === undefined) return 'Nothing is published.';
  const lines = [`Data version ${current.version}, ${describeSince(current)}`];
  if (current.entries.length === 0) lines.push('  no data set');
  for (const entry of current.entries) lines.push(...formatEntry(entry));
  const { held = [] } = current;
  if (held.length > 0) lines.push('', 'Held and not published until someone confirms it:', ...held.flatMap(formatHeld));
  if (previous.length > 0) lines.push('', 'Earlier states, with what each one changed:');
  for (const state of previous) {
    lines.push(`Data version ${state.version}, ${describeSince(state)}`, ...state.brought.flatMap(formatEntry));
    for (const { organizationUuid, dataSet } of state.tookOut) lines.push(`  removed ${organizationUuid} ${dataSet}`);
  }
  return lines.join('\n');
}

function describeSince({ since, cause }: CatalogState): string {
  return `since ${since ?? ''}, by ${cause}`;
}

function formatEntry(entry: CatalogEntry): readonly string[] {
  const { organizationUuid, dataSet, records, releaseId, publishedAt, isSample, submission } = entry;
  const sample = isSample ? ', sample' : '';
  const { name, ...stated } = submission ?? {};
  const statementLines = [['submission', name], ...Object.entries(stated)].flatMap(([member, text]) =>
    typeof text === 'string' ? [`    ${member}: ${oneLine(text)}`] : [],
  );
  return [
    `  ${organizationUuid} ${dataSet}: ${records.toLocaleString('en-US')} records, published ${publishedAt}${sample}`,
    `    release: ${releaseId}`,
    ...statementLines,
  ];
}

function formatHeld({ organizationUuid, dataSet, submission, heldAt, ...hold }: HeldDataSet): readonly string[] {
  return [
    `  ${organizationUuid} ${dataSet}: ${hold.reasons.join(', ')}, since ${heldAt}`,
    `    submission: ${oneLine(submission)}`,
    `    confirmed by: ${hold.confirmationCode}`,
  ];
}

/** Replaces line breaks and control characters, so that a submitted text takes one line on a terminal. */
function oneLine(text: string): string {
  return text.replace(/[\s\p{Cc}]+/gu, ' ').trim();
}
