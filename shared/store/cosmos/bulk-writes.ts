// Writes, counts and deletes the documents of a release in bulk, a few requests at once.

import { STATEMENTS, type CosmosCalls } from './calls';
import {
  BATCH_WRITE_BYTES,
  BATCH_WRITES,
  documentBytes,
  FAMILIES,
  partitionOf,
  partitionsOf,
  type CosmosDocument,
  type DocumentCounts,
} from './documents';
import type { Write } from './logged-container';
import type { DocumentBuffers } from './write-buffers';

/** Bounds what waits in memory: about 1.5 MB each. */
const REQUESTS_AT_ONCE = 8;

/** `onProgress` is called after each request. */
export async function uploadDocuments(
  calls: CosmosCalls,
  prefix: string,
  buffers: DocumentBuffers,
  onProgress: () => Promise<void>,
): Promise<void> {
  const waiting = batches(prefix, buffers);
  const sendAll = async (): Promise<void> => {
    for (const { partition, writes } of waiting) {
      if ((await calls.writeAll(partition, writes)) === 'refused') {
        throw new Error(`documents of ${partition} were not taken`);
      }
      await onProgress();
    }
  };
  // The first that fails ends the list for all; the others' requests are over before their documents are removed.
  const senders = Array.from({ length: REQUESTS_AT_ONCE }, sendAll);
  try {
    await Promise.all(senders);
  } finally {
    await Promise.allSettled(senders);
  }
}

interface Batch {
  readonly partition: string;
  readonly writes: readonly Write[];
}

function* batches(prefix: string, buffers: DocumentBuffers): Iterable<Batch> {
  let writes: Write[] = [];
  let bytes = 0;
  let partition = '';
  for (const document of documents(prefix, buffers)) {
    const size = documentBytes(document);
    const isFull = writes.length === BATCH_WRITES || bytes + size > BATCH_WRITE_BYTES;
    if (writes.length > 0 && (isFull || document.partition !== partition)) {
      yield { partition, writes };
      writes = [];
      bytes = 0;
    }
    // An upsert can be repeated when its answer was lost.
    writes.push({ operation: 'upsert', document });
    bytes += size;
    ({ partition } = document);
  }
  if (writes.length > 0) yield { partition, writes };
}

function* documents(prefix: string, buffers: DocumentBuffers): Iterable<CosmosDocument> {
  for (const family of FAMILIES) {
    let number = 0;
    for (const content of buffers[family].read()) {
      yield { id: String(number), partition: partitionOf(prefix, family, number), ...content };
      number++;
    }
  }
}

/** Counts the documents of each partition, which costs a few request units. */
export async function areAllThere(calls: CosmosCalls, prefix: string, counts: DocumentCounts): Promise<boolean> {
  for (const family of FAMILIES) {
    for (const { partition, from, to } of partitionsOf(prefix, family, counts[family])) {
      const [count] = await calls.query<number>({ partition, text: STATEMENTS.count });
      if (count !== to - from) return false;
    }
  }
  return true;
}

/** The ids follow from how many documents there are, so that nothing has to be queried. */
export async function deleteDocuments(calls: CosmosCalls, prefix: string, counts: DocumentCounts): Promise<void> {
  for (const family of FAMILIES) {
    for (const { partition, from, to } of partitionsOf(prefix, family, counts[family])) {
      const ids = Array.from({ length: to - from }, (_, index) => String(from + index));
      // A document that is missing, because its writer was killed before it, makes its whole batch fail.
      if (!(await deleteAll(calls, partition, ids))) await deleteRemaining(calls, partition);
    }
  }
}

/** Resolves to false when one of them did not exist. */
async function deleteAll(calls: CosmosCalls, partition: string, ids: readonly string[]): Promise<boolean> {
  for (let from = 0; from < ids.length; from += BATCH_WRITES) {
    const batch = ids.slice(from, from + BATCH_WRITES).map((id) => ({ operation: 'delete', id }) as const);
    if ((await calls.writeAll(partition, batch)) === 'refused') return false;
  }
  return true;
}

async function deleteRemaining(calls: CosmosCalls, partition: string): Promise<void> {
  const text = STATEMENTS.documentIds;
  const found = await calls.query<Pick<CosmosDocument, 'id'>>({ partition, text });
  const ids = found.map(({ id }) => id);
  if (await deleteAll(calls, partition, ids)) return;
  // A batch is refused when it is sent again after its answer was lost, or when another process deletes the same.
  for (const id of ids) await calls.write(partition, { operation: 'delete', id });
}
