// Deletes the documents of a release, a hundred a request: their ids follow from how many there are, so nothing has to be asked.

import type { CosmosCalls } from './cosmos-calls';
import { BATCH_WRITES, FAMILIES, partsOf, type CosmosDocument } from './documents';
import type { DocumentCounts } from './release-documents';
import { STATEMENTS } from './statements';

export async function deleteDocuments(calls: CosmosCalls, prefix: string, documents: DocumentCounts): Promise<void> {
  for (const family of FAMILIES) {
    for (const { partition, from, to } of partsOf(prefix, family, documents[family])) {
      const ids = Array.from({ length: to - from }, (_, index) => String(from + index));
      // One that is missing, because its writer was killed before it, makes its whole batch fail.
      if (!(await deleteAll(calls, partition, ids))) await deleteWhatIsThere(calls, partition);
    }
  }
}

/** False when one of them was not there. */
async function deleteAll(calls: CosmosCalls, partition: string, ids: readonly string[]): Promise<boolean> {
  for (let from = 0; from < ids.length; from += BATCH_WRITES) {
    const batch = ids.slice(from, from + BATCH_WRITES).map((id) => ({ operation: 'delete', id }) as const);
    if ((await calls.writeAll(partition, batch)) === 'refused') return false;
  }
  return true;
}

async function deleteWhatIsThere(calls: CosmosCalls, partition: string): Promise<void> {
  const text = STATEMENTS.documentIds;
  const found = await calls.query<Pick<CosmosDocument, 'id'>>({ partition, text });
  const ids = found.map(({ id }) => id);
  if (await deleteAll(calls, partition, ids)) return;
  // A batch whose answer was lost is refused when it is tried again; or another janitor is at it.
  for (const id of ids) await calls.write(partition, { operation: 'delete', id });
}
