// Counts and deletes the documents of a release. Their ids follow from the number of documents.

import type { CosmosCalls } from './calls';
import {
  BATCH_WRITES,
  type CosmosDocument,
  type DocumentCounts,
  listPartitions,
  type Partition,
} from './document-names';
import { QUERIES } from './queries';

/** Whether no document is missing. Counting the documents of each partition costs a few request units. */
export async function hasAllDocuments(calls: CosmosCalls, prefix: string, counts: DocumentCounts): Promise<boolean> {
  for (const { place, from, to } of listPartitions(prefix, counts)) {
    const [count] = await calls.query<number>(place, { text: QUERIES.count });
    if (count !== to - from) return false;
  }
  return true;
}

/** The ids follow from the numbers of documents, so nothing has to be queried. */
export async function deleteDocuments(calls: CosmosCalls, prefix: string, counts: DocumentCounts): Promise<void> {
  for (const { place, from, to } of listPartitions(prefix, counts)) {
    let ids: readonly string[] = Array.from({ length: to - from }, (_, index) => String(from + index));
    // A batch is refused if one of its documents is missing: its writer was killed before writing it, another process
    // is deleting the same documents, or the answer to an earlier attempt was lost. Each attempt leaves fewer
    // documents.
    while (!(await tryDelete(calls, place, ids))) {
      const remaining = await calls.query<Pick<CosmosDocument, 'id'>>(place, { text: QUERIES.documentIds });
      ids = remaining.map(({ id }) => id);
    }
  }
}

/** Resolves to false if one of the documents did not exist. */
async function tryDelete(calls: CosmosCalls, place: Partition, ids: readonly string[]): Promise<boolean> {
  for (let from = 0; from < ids.length; from += BATCH_WRITES) {
    const batch = ids.slice(from, from + BATCH_WRITES).map((id) => ({ operationType: 'Delete', id }) as const);
    if ((await calls.write(place, batch)) === 'refused') return false;
  }
  return true;
}
