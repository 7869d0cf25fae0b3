// The data sets of one submission, built and then published in one step: all of them or none (submissions.md, 5).

import {
  isSameDataSet,
  makeCatalogState,
  type CatalogEntry,
  type CatalogState,
} from '../../shared/store/catalog-types';
import type { Organization } from '../../shared/records/organization';
import type { ReleaseWriter, Store } from '../../shared/store/port';
import { openFormerRelease } from './comparison/open-former';
import { ReleaseComparison, type Compared } from './comparison/release-comparison';
import type { UseCategories } from '../build/records/use-categories';
import type { DataSetOutcome } from '../format/report';
import type { StagedAmounts } from '../read/amount-rows';
import { BasisChangedError } from '../read/reading-plan';
import type { BuiltRelease } from '../build/build-release';
import type { StatementOf } from './submission-statement';

export type BuiltDataSet = DataSetOutcome & { readonly outcome: 'published' | 'unchanged' | 'would-publish' };

export interface PublishOptions {
  readonly isDryRun: boolean;
  readonly isSample: boolean;
  /** ISO 8601, UTC. */
  readonly at: string;
  readonly submissionOf: StatementOf;
  /** Hears of what is about to be published, and of the state that will name it; if it throws, nothing is. */
  readonly beforePublish?: (outcomes: readonly BuiltDataSet[], next: CatalogState) => Promise<void>;
}

export interface PublishedDataSets {
  readonly outcomes: readonly BuiltDataSet[];
  /** In which they are as their outcomes say. */
  readonly version: string;
}

/** The cause of a state that samples made. */
export const SAMPLES_CAUSE = 'samples';

/** Another loader can publish between our look at the pointer and our step; a few of them can be lucky in turn. */
const MAX_TRIES = 20;

export class BuiltDataSets {
  private readonly writers = new Map<ReleaseWriter, BuiltRelease | undefined>();

  /** `basis` is what was current when a merge or a rebuild read it; a submission that replaces has none. */
  constructor(
    private readonly store: Store,
    private readonly basis: readonly CatalogEntry[] | undefined,
  ) {}

  async start(): Promise<ReleaseWriter> {
    const writer = await this.store.startRelease();
    this.writers.set(writer, undefined);
    return writer;
  }

  /** With the release of the data set that is current now; samples are no former release of real data. */
  async compare(
    { definition: { kind }, rows }: StagedAmounts,
    { OrganizationUUID: organizationUuid, OrganizationState: state }: Organization,
    isSample: boolean,
    categoriesOf: (use: string) => UseCategories,
  ): Promise<ReleaseComparison> {
    const entry = findEntry(await this.store.currentState(), { organizationUuid, dataSet: kind }, isSample);
    return new ReleaseComparison(kind, state, await openFormerRelease(this.store, entry), categoriesOf, rows);
  }

  add(writer: ReleaseWriter, release: BuiltRelease): void {
    this.writers.set(writer, release);
  }

  async publish(options: PublishOptions): Promise<PublishedDataSets> {
    const finished = new Set<string>();
    for (let attempt = 0; attempt < MAX_TRIES; attempt++) {
      const state = await this.store.currentState();
      const outcomes: BuiltDataSet[] = [];
      for (const [writer, release] of [...this.writers]) {
        if (release === undefined) throw new Error('a data set was started and not built');
        const former = formerEntry(state, release, options.isSample);
        this.checkBasis(release, former);
        const isUnchanged = former?.releaseId === release.facts.releaseId;
        if (!isUnchanged && !options.isDryRun && !finished.has(release.facts.releaseId)) {
          await writer.finish(release.facts);
          finished.add(release.facts.releaseId);
        }
        outcomes.push({
          ...outcomeOf(release, former, isUnchanged, options),
          ...(await this.compared(release, former)),
        });
      }
      const { version } = state;
      if (outcomes.every(({ outcome }) => outcome !== 'published')) return { outcomes, version };
      // Real data came while the samples were read: samples are only for a store without any.
      if (options.isSample && state.entries.some(({ isSample }) => !isSample)) return { outcomes: [], version };
      const next = nextState(state, outcomes, options);
      await options.beforePublish?.(outcomes, next);
      if ((await this.store.publish(version, next)) === 'published') {
        for (const [writer, release] of this.writers) {
          if (release !== undefined && finished.has(release.facts.releaseId)) this.writers.delete(writer);
        }
        return { outcomes, version: next.version };
      }
    }
    throw new Error('other loads kept publishing in between; try again');
  }

  /** Releases that were not published leave nothing behind. */
  async abandonUnfinished(): Promise<void> {
    for (const writer of this.writers.keys()) await writer.abandon();
    this.writers.clear();
  }

  /** What was published since is not in what was built from the basis: publishing would take it out again. */
  private checkBasis({ facts }: BuiltRelease, former: CatalogEntry | undefined): void {
    if (this.basis === undefined) return;
    const dataSet = { organizationUuid: facts.organization.OrganizationUUID, dataSet: facts.dataSet };
    const basis = this.basis.find((entry) => isSameDataSet(entry, dataSet));
    if (basis?.releaseId !== former?.releaseId) throw new BasisChangedError();
  }

  private async compared({ facts, comparison }: BuiltRelease, former: CatalogEntry | undefined): Promise<Compared> {
    if (!comparison.isWith(former?.releaseId)) comparison.compareAgain(await openFormerRelease(this.store, former));
    return comparison.result(await this.store.openRelease(facts.releaseId));
  }
}

function outcomeOf(
  { facts }: BuiltRelease,
  former: CatalogEntry | undefined,
  isUnchanged: boolean,
  { isDryRun }: PublishOptions,
): Omit<BuiltDataSet, keyof Compared> {
  return {
    organizationUuid: facts.organization.OrganizationUUID,
    dataSet: facts.dataSet,
    records: facts.records,
    outcome: isUnchanged ? 'unchanged' : isDryRun ? 'would-publish' : 'published',
    releaseId: facts.releaseId,
    formerReleaseId: former?.releaseId ?? null,
  };
}

function formerEntry(state: CatalogState, { facts }: BuiltRelease, isSample: boolean): CatalogEntry | undefined {
  const dataSet = { organizationUuid: facts.organization.OrganizationUUID, dataSet: facts.dataSet };
  return findEntry(state, dataSet, isSample);
}

function findEntry(
  state: CatalogState,
  dataSet: Pick<CatalogEntry, 'organizationUuid' | 'dataSet'>,
  isSample: boolean,
): CatalogEntry | undefined {
  return state.entries.find((entry) => isSameDataSet(entry, dataSet) && entry.isSample === isSample);
}

/** The first real publish drops the samples in the same step (design.md, section 8). */
function nextState(state: CatalogState, outcomes: readonly BuiltDataSet[], options: PublishOptions): CatalogState {
  const published = outcomes.filter(({ outcome }) => outcome === 'published');
  const others = state.entries.filter(
    (entry) => (options.isSample || !entry.isSample) && !published.some((dataSet) => isSameDataSet(entry, dataSet)),
  );
  const { isSample, at: publishedAt, submissionOf } = options;
  const entries = published.map((outcome): CatalogEntry => {
    const { organizationUuid, dataSet, releaseId, records } = outcome;
    const submission = submissionOf(findEntry(state, outcome, isSample));
    return { organizationUuid, dataSet, releaseId: releaseId ?? '', records, isSample, publishedAt, submission };
  });
  return makeCatalogState([...others, ...entries], publishedAt, isSample ? SAMPLES_CAUSE : 'load');
}
