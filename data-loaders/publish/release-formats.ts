// A release of another format than this program's is refused, with what to do about it (design.md, section 4).

import { FORMAT_VERSION, type Store } from '../../shared/store/port';
import type { CatalogEntry } from '../../shared/store/catalog-types';

/** Entries of the current state whose releases have another format. */
export async function entriesOfOtherFormat(store: Store): Promise<readonly CatalogEntry[]> {
  const others: CatalogEntry[] = [];
  for (const entry of (await store.currentState()).entries) {
    const reader = await store.openRelease(entry.releaseId);
    if (reader !== undefined && reader.facts.formatVersion !== FORMAT_VERSION) others.push(entry);
  }
  return others;
}

export async function checkFormats(store: Store): Promise<void> {
  const others = await entriesOfOtherFormat(store);
  if (others.length === 0) return;
  const names = others.map(({ organizationUuid, dataSet }) => `${organizationUuid} ${dataSet}`).join(', ');
  throw new Error(
    `These releases have a format that this program does not know: ${names}. Run: npm run releases -- rebuild`,
  );
}
