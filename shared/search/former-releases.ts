// The releases of a former data version, with which those of a later one are compared (D37).

import type { CatalogEntry, CatalogState } from '../store/catalog-types';
import { ReleaseGoneError, UnknownFormatError, type ReleaseReader, type Store } from '../store/port';
import { openEntry } from './release-index';

/** The data version that changes are asked since is not held, or only a former program can read its releases. */
export class FormerVersionGoneError extends Error {}

/** Opens the release that a data set had; undefined when it had none. Throws FormerVersionGoneError. */
type OpenFormer = (entry: WhoseRelease) => Promise<ReleaseReader | undefined>;

export type WhoseRelease = Pick<CatalogEntry, 'organizationUuid' | 'dataSet'>;

/** Throws FormerVersionGoneError. */
export async function openFormer(store: Store, version: string): Promise<OpenFormer> {
  const { entries } = await formerState(store, version);
  return async (dataSet) => {
    const former = entryOf(entries, dataSet);
    return former && openFormerEntry(store, former);
  };
}

export function entryOf(
  entries: readonly CatalogEntry[],
  { organizationUuid, dataSet }: WhoseRelease,
): CatalogEntry | undefined {
  return entries.find((entry) => entry.organizationUuid === organizationUuid && entry.dataSet === dataSet);
}

export async function formerState(store: Store, version: string): Promise<CatalogState> {
  const state = await store.stateOf(version);
  if (state === undefined) throw new FormerVersionGoneError();
  return state;
}

export async function openFormerEntry(store: Store, entry: CatalogEntry): Promise<ReleaseReader> {
  try {
    return await openEntry(store, entry);
  } catch (error) {
    if (error instanceof ReleaseGoneError || error instanceof UnknownFormatError) throw new FormerVersionGoneError();
    throw error;
  }
}
