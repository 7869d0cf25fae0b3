// One document changed by any number of writers at once: each writes only over what it has read, and else reads again.

import type { CosmosCalls } from './cosmos-calls';
import type { CosmosDocument } from './documents';

const TRIES = 20;

/** `alter` gets the document or undefined, and says what is to stand there; undefined leaves it. False when it is left. */
export async function changeDocument<Document extends CosmosDocument>(
  calls: CosmosCalls,
  partition: string,
  id: string,
  alter: (held: Document | undefined) => Document | undefined,
): Promise<boolean> {
  for (let attempt = 0; attempt < TRIES; attempt++) {
    const held = await calls.read<Document>(partition, id);
    const document = alter(held?.document);
    if (document === undefined) return false;
    const write =
      held === undefined
        ? ({ operation: 'create', document } as const)
        : ({ operation: 'replace', document, etag: held.etag } as const);
    if ((await calls.write(partition, write)) === 'written') return true;
  }
  throw new Error(`others kept writing ${partition} ${id}`);
}
