// The listing of `npm run releases -- list`: what is published now, and what each former state brought.

import { isSameDataSet, type CatalogEntry, type CatalogState } from '../shared/store/catalog-types';

export type PublishedState = CatalogState & {
  /** Entries that the state before it did not have; all entries in the oldest state of the history. */
  readonly brought: readonly CatalogEntry[];
  /** Entries of the state before it whose data sets this state does not have. */
  readonly tookOut: readonly CatalogEntry[];
};

/** The states with what each changed, the newest first, as in the history. */
export function publishedStates(history: readonly CatalogState[]): readonly PublishedState[] {
  return history.map((state, index) => {
    const before = history[index + 1]?.entries ?? [];
    const isNew = (entry: CatalogEntry): boolean => !before.some(({ releaseId }) => releaseId === entry.releaseId);
    const isGone = (former: CatalogEntry): boolean => !state.entries.some((entry) => isSameDataSet(entry, former));
    return { ...state, brought: state.entries.filter(isNew), tookOut: before.filter(isGone) };
  });
}

export function listReleases([current, ...former]: readonly PublishedState[]): string {
  if (current === undefined) return 'Nothing is published.';
  const lines = [`Data version ${current.version}, ${sinceOf(current)}`];
  if (current.entries.length === 0) lines.push('  no data set');
  for (const entry of current.entries) lines.push(...entryLines(entry));
  if (former.length > 0) lines.push('', 'Before it, with what each brought:');
  for (const state of former) {
    lines.push(`Data version ${state.version}, ${sinceOf(state)}`, ...state.brought.flatMap(entryLines));
    for (const { organizationUuid, dataSet } of state.tookOut) lines.push(`  took out ${organizationUuid} ${dataSet}`);
  }
  return lines.join('\n');
}

function sinceOf({ since, cause }: CatalogState): string {
  return `since ${since ?? ''}, by ${cause}`;
}

function entryLines(entry: CatalogEntry): readonly string[] {
  const { organizationUuid, dataSet, records, releaseId, publishedAt, isSample, submission } = entry;
  const sample = isSample ? ', sample' : '';
  const { name, ...stated } = submission ?? {};
  const said = [['submission', name], ...Object.entries(stated)].flatMap(([member, text]) =>
    typeof text === 'string' ? [`    ${member}: ${oneLine(text)}`] : [],
  );
  return [
    `  ${organizationUuid} ${dataSet}: ${records.toLocaleString('en-US')} records, published ${publishedAt}${sample}`,
    `    release: ${releaseId}`,
    ...said,
  ];
}

/** Puts a submitted text on one line of a terminal, without line breaks and control characters. */
function oneLine(text: string): string {
  return text.replace(/[\s\p{Cc}]+/gu, ' ').trim();
}
