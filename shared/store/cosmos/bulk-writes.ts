// Writes and deletes the documents of a release in bulk, a few requests at once.

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
  type Family,
} from './documents';
import type { Write } from './logged-container';
import type { DocumentBuffer } from './write-buffers';

/** Bounds what waits in memory: about 1.5 MB each. */
const REQUESTS_AT_ONCE = 8;

type DocumentBuffers = Readonly<Record<Family, DocumentBuffer>>;

/** `onProgress` is called between requests. */
export async function uploadDocuments(
  calls: CosmosCalls,
  prefix: string,
  buffers: DocumentBuffers,
  onProgress: () => Promise<void>,
): Promise<void> {
  const underWay = new Set<Promise<void>>();
  let failure: { readonly error: unknown } | undefined;
  const send = ({ partition, writes }: Batch): void => {
    const request = calls.writeAll(partition, writes).then(
      (outcome) => {
        if (outcome === 'refused') failure ??= { error: new Error(`documents of ${partition} were not taken`) };
      },
      (error: unknown) => {
        failure ??= { error };
      },
    );
    const tracked: Promise<void> = request.finally(() => underWay.delete(tracked));
    underWay.add(tracked);
  };
  try {
    for (const batch of batches(prefix, buffers)) {
      if (underWay.size >= REQUESTS_AT_ONCE) await Promise.race(underWay);
      if (failure !== undefined) break;
      send(batch);
      await onProgress();
    }
  } finally {
    await Promise.all(underWay);
  }
  if (failure !== undefined) throw failure.error;
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
