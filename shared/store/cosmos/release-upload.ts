// Brings the spooled documents of a release into the container: a hundred or 1.5 MB a request, a few requests at once.

import type { CosmosCalls } from './cosmos-calls';
import type { Write } from './counted-container';
import {
  BATCH_WRITE_BYTES,
  BATCH_WRITES,
  documentBytes,
  FAMILIES,
  partitionOf,
  type CosmosDocument,
  type Family,
} from './documents';

/** Bounds what waits in memory: about 1.5 MB each. */
const REQUESTS_AT_ONCE = 8;

/** What a family's documents hold beside id and partition. */
export type Spools = Readonly<Record<Family, { read(): Iterable<object> }>>;

/** `onProgress` is called between requests. */
export async function uploadRelease(
  calls: CosmosCalls,
  prefix: string,
  spools: Spools,
  onProgress: () => Promise<void>,
): Promise<void> {
  const underWay = new Set<Promise<void>>();
  let failure: { readonly error: unknown } | undefined;
  const send = (partition: string, writes: readonly Write[]): void => {
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
    for (const batch of batches(prefix, spools)) {
      if (underWay.size >= REQUESTS_AT_ONCE) await Promise.race(underWay);
      if (failure !== undefined) break;
      send(batch.partition, batch.writes);
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

function* batches(prefix: string, spools: Spools): Iterable<Batch> {
  let writes: Write[] = [];
  let bytes = 0;
  let partition = '';
  for (const document of documents(prefix, spools)) {
    const size = documentBytes(document);
    const isFull = writes.length === BATCH_WRITES || bytes + size > BATCH_WRITE_BYTES;
    if (writes.length > 0 && (isFull || document.partition !== partition)) {
      yield { partition, writes };
      writes = [];
      bytes = 0;
    }
    // Written once more, when an answer was lost, it is the same.
    writes.push({ operation: 'upsert', document });
    bytes += size;
    ({ partition } = document);
  }
  if (writes.length > 0) yield { partition, writes };
}

function* documents(prefix: string, spools: Spools): Iterable<CosmosDocument> {
  for (const family of FAMILIES) {
    let number = 0;
    for (const content of spools[family].read()) {
      yield { id: String(number), partition: partitionOf(prefix, family, number), ...content };
      number++;
    }
  }
}
