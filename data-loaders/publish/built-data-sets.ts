// The data sets of one submission, built and then published in one step: all of them or none (submissions.md, 5).

import {
  isSameDataSet,
  makeCatalogState,
  type CatalogEntry,
  type CatalogState,
} from '../../shared/store/catalog-types';
import type { ReleaseWriter, Store } from '../../shared/store/port';
import { compareFingerprints, readFingerprints } from '../index/fingerprints';
import type { DataSetChange, DataSetOutcome } from '../report/report';
import type { BuiltRelease } from './build-release';

export type BuiltDataSet = DataSetOutcome & { readonly outcome: 'published' | 'unchanged' | 'would-publish' };

export interface PublishOptions {
  readonly isDryRun: boolean;
  readonly isSample: boolean;
  /** ISO 8601, UTC. */
  readonly at: string;
}

/** The cause of a state that samples made. */
export const SAMPLES_CAUSE = 'samples';

/** Another loader can publish between our look at the pointer and our step; a few of them can be lucky in turn. */
const MAX_TRIES = 20;

export class BuiltDataSets {
  private readonly writers = new Map<ReleaseWriter, BuiltRelease | undefined>();

  constructor(private readonly store: Store) {}

  async start(): Promise<ReleaseWriter> {
    const writer = await this.store.startRelease();
    this.writers.set(writer, undefined);
    return writer;
  }

  add(writer: ReleaseWriter, release: BuiltRelease): void {
    this.writers.set(writer, release);
  }

  async publish(options: PublishOptions): Promise<readonly BuiltDataSet[]> {
    const finished = new Set<string>();
    for (let attempt = 0; attempt < MAX_TRIES; attempt++) {
      const state = await this.store.currentState();
      const outcomes: BuiltDataSet[] = [];
      for (const [writer, release] of [...this.writers]) {
        if (release === undefined) throw new Error('a data set was started and not built');
        const former = formerEntry(state, release);
        const isUnchanged = former?.releaseId === release.facts.releaseId && former.isSample === options.isSample;
        outcomes.push({
          ...outcomeOf(release, former, isUnchanged, options),
          change: await this.changeOf(release, former),
        });
        if (isUnchanged || options.isDryRun || finished.has(release.facts.releaseId)) continue;
        await writer.finish(release.facts);
        finished.add(release.facts.releaseId);
      }
      if (outcomes.every(({ outcome }) => outcome !== 'published')) return outcomes;
      const next = nextState(state, outcomes, options);
      if ((await this.store.publish(state.version, next)) === 'published') {
        for (const [writer, release] of this.writers) {
          if (release !== undefined && finished.has(release.facts.releaseId)) this.writers.delete(writer);
        }
        return outcomes;
      }
    }
    throw new Error('other loads kept publishing in between; try again');
  }

  /** Releases that were not published leave nothing behind. */
  async abandonUnfinished(): Promise<void> {
    for (const writer of this.writers.keys()) await writer.abandon();
    this.writers.clear();
  }

  private async changeOf(
    { facts, fingerprints }: BuiltRelease,
    former: CatalogEntry | undefined,
  ): Promise<DataSetChange> {
    const none = { added: facts.records, removed: 0, changed: 0 };
    if (former === undefined) return none;
    const content = await (await this.store.openRelease(former.releaseId))?.artifact('fingerprints');
    return content === undefined ? none : compareFingerprints(readFingerprints(content), fingerprints);
  }
}

function outcomeOf(
  { facts }: BuiltRelease,
  former: CatalogEntry | undefined,
  isUnchanged: boolean,
  { isDryRun }: PublishOptions,
): Omit<BuiltDataSet, 'change'> {
  return {
    organizationUuid: facts.organization.OrganizationUUID,
    dataSet: facts.dataSet,
    records: facts.records,
    outcome: isUnchanged ? 'unchanged' : isDryRun ? 'would-publish' : 'published',
    releaseId: facts.releaseId,
    formerReleaseId: former?.releaseId ?? null,
  };
}

function formerEntry(state: CatalogState, { facts }: BuiltRelease): CatalogEntry | undefined {
  const dataSet = { organizationUuid: facts.organization.OrganizationUUID, dataSet: facts.dataSet };
  return state.entries.find((entry) => isSameDataSet(entry, dataSet));
}

/** The first real publish drops the samples in the same step (design.md, section 8). */
function nextState(state: CatalogState, outcomes: readonly BuiltDataSet[], options: PublishOptions): CatalogState {
  const published = outcomes.filter(({ outcome }) => outcome === 'published');
  const others = state.entries.filter(
    (entry) => (options.isSample || !entry.isSample) && !published.some((dataSet) => isSameDataSet(entry, dataSet)),
  );
  const entries = published.map(({ organizationUuid, dataSet, releaseId, records }): CatalogEntry => ({
    organizationUuid,
    dataSet,
    releaseId: releaseId ?? '',
    records,
    isSample: options.isSample,
    publishedAt: options.at,
  }));
  return makeCatalogState([...others, ...entries], options.at, options.isSample ? SAMPLES_CAUSE : 'load');
}
