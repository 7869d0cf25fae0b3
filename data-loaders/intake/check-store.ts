// The store for a dry run over HTTP (D76). It reads the real store but writes releases to its own folder: a process
// that answers queries may not write releases, and a check must leave nothing behind.

import type { CatalogState } from '../../shared/store/catalog-types';
import type { PublishOutcome, ReleaseReader, ReleaseWriter, Store } from '../../shared/store/port';
import { DocumentViews } from '../../shared/store/service-documents';

export class CheckStore extends DocumentViews implements Store {
  constructor(
    private readonly real: Store,
    private readonly scratch: Store,
  ) {
    super(real.documents);
  }

  currentState(): Promise<CatalogState> {
    return this.real.currentState();
  }

  findState(version: string): Promise<CatalogState | undefined> {
    return this.real.findState(version);
  }

  history(): Promise<readonly CatalogState[]> {
    return this.real.history();
  }

  publish(): Promise<PublishOutcome> {
    throw new Error('a check publishes nothing');
  }

  async openRelease(releaseId: string): Promise<ReleaseReader | undefined> {
    return (await this.real.openRelease(releaseId)) ?? (await this.scratch.openRelease(releaseId));
  }

  startRelease(): Promise<ReleaseWriter> {
    return this.scratch.startRelease();
  }

  forgetStates(): Promise<void> {
    throw new Error('a check removes nothing');
  }

  listReleases(): Promise<readonly string[]> {
    return this.real.listReleases();
  }

  deleteRelease(): Promise<'deleted' | 'kept'> {
    throw new Error('a check deletes nothing');
  }

  removeUnfinished(): Promise<void> {
    return this.scratch.removeUnfinished();
  }

  async close(): Promise<void> {
    await this.scratch.close();
    await this.real.close();
  }
}
