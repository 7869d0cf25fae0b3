// The listing of `npm run releases -- list`.

import type { CatalogEntry, CatalogState } from '../shared/store/catalog-types';
import type { Store } from '../shared/store/port';

export async function listReleases(store: Store): Promise<string> {
  const [current, ...former] = await store.history();
  if (current === undefined) return 'Nothing is published.';
  const lines = [`Data version ${current.version}, since ${current.since ?? ''}`];
  if (current.entries.length === 0) lines.push('  no data set');
  for (const entry of current.entries) lines.push(`  ${describeEntry(entry)}`);
  if (former.length > 0) lines.push('', 'Before it:');
  for (const state of former) lines.push(`  ${describeState(state)}`);
  return lines.join('\n');
}

function describeEntry({ organizationUuid, dataSet, records, releaseId, publishedAt, isSample }: CatalogEntry): string {
  const sample = isSample ? ', sample' : '';
  return `${organizationUuid} ${dataSet}: ${records} records, release ${releaseId}, published ${publishedAt}${sample}`;
}

function describeState({ version, since, cause, entries }: CatalogState): string {
  return `${version}, since ${since ?? ''}, by ${cause}, ${entries.length} data set${entries.length === 1 ? '' : 's'}`;
}
