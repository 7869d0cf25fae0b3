// The releases of a former data version, with which those of a later one are compared (D37).

import { entryOf, type CatalogEntry, type CatalogState, type DataSetName } from '../store/catalog-types';
import { ReleaseGoneError, UnknownFormatError, type ReleaseReader, type Store } from '../store/port';
import { openEntry } from './release/release-index';

/** The data version that changes are asked since is not held, or only a former program can read its releases. */
export class FormerVersionGoneError extends Error {}

/** Opens the release that a data set had; undefined when it had none. Throws FormerVersionGoneError. */
type OpenFormer = (entry: DataSetName) => Promise<ReleaseReader | undefined>;

/** Throws FormerVersionGoneError. */
export async function openFormer(store: Store, version: string): Promise<OpenFormer> {
  const state = await formerState(store, version);
  return async (dataSet) => {
    const former = entryOf(state, dataSet);
    return former && openFormerEntry(store, former);
  };
}

/** Throws FormerVersionGoneError. */
export async function formerState(store: Store, version: string): Promise<CatalogState> {
  const state = await store.stateOf(version);
  if (state === undefined) throw new FormerVersionGoneError();
  return state;
}

/** Throws FormerVersionGoneError. */
export async function openFormerEntry(store: Store, entry: CatalogEntry): Promise<ReleaseReader> {
  try {
    return await openEntry(store, entry);
  } catch (error) {
    if (error instanceof ReleaseGoneError || error instanceof UnknownFormatError) throw new FormerVersionGoneError();
    throw error;
  }
}
