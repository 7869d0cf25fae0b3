// What a load reads: the submission's own files and, in a merge, what was kept of the releases that it is laid over.

import type { CatalogEntry } from '../../shared/store/catalog-types';
import type { Store } from '../../shared/store/port';
import { areCurrent, writeFormerReleases, type FormerReleases } from './former-release';
import type { Staging } from '../stage/staging';
import type { ReadingContext } from './each-row';
import { LetterCases } from './letter-cases';

/** What is read, and what was current when it was. */
export interface ReadingPlan {
  readonly contexts: readonly ReadingContext[];
  readonly basis: readonly CatalogEntry[] | undefined;
}

/** Something else was published since a merge or a rebuild read what it is made from. */
export class BasisChangedError extends Error {
  constructor() {
    super('something newer was published in the meantime');
  }
}

export interface PlanInput {
  readonly store: Store;
  readonly isSample: boolean;
  /** What a rebuild is made from. */
  readonly rebuildOf?: CatalogEntry;
}

/** Throws BasisChangedError when a merge was begun over releases that are not current any more. */
export async function planReading(
  own: ReadingContext,
  isMerge: boolean,
  { store, isSample, rebuildOf }: PlanInput,
  staging: Staging,
): Promise<ReadingPlan> {
  if (!isMerge) {
    attachContext(own);
    return { contexts: [own], basis: rebuildOf === undefined ? undefined : [rebuildOf] };
  }
  const former = await formerReleases(own, store, isSample, staging);
  const formers = former.folders.map((folder, index): ReadingContext => {
    const { progress, checkpoints } = own;
    const unreported = { letterCases: new LetterCases(), files: [], notes: [], onRejected: () => undefined };
    const name = former.entries[index]?.releaseId ?? folder;
    return { folder, name, role: 'former', progress, checkpoints, ...unreported };
  });
  // The submission's own files first: of two rows of one key the newer wins.
  const contexts: readonly ReadingContext[] = [{ ...own, role: 'merge' }, ...formers];
  contexts.forEach(attachContext);
  return { contexts, basis: former.entries };
}

/** As they were written before, if the load goes on. */
async function formerReleases(
  { folder, checkpoints }: ReadingContext,
  store: Store,
  isSample: boolean,
  staging: Staging,
): Promise<FormerReleases> {
  let former: FormerReleases | undefined;
  checkpoints.attach('former releases', {
    save: () => former,
    restore: (saved) => (former = saved as FormerReleases), // Of `save`: it is saved at its end alone.
  });
  former ??= await writeFormerReleases(folder, store, isSample, staging.folder);
  if (!(await areCurrent(former, store, isSample))) throw new BasisChangedError();
  checkpoints.finish('former releases');
  return former;
}

function attachContext({ name, checkpoints, letterCases, notes }: ReadingContext): void {
  checkpoints.attach(`${name}: letter cases`, letterCases);
  checkpoints.attach(`${name}: notes`, {
    save: () => notes,
    restore: (saved) => notes.splice(0, notes.length, ...(saved as readonly string[])), // Of `save`.
  });
}
