// Builds the releases of one submission's data sets and publishes them in one step: all of them or none
// (submissions.md, 5).

import { isDeepStrictEqual } from 'node:util';
import type { DataSetKind } from '../../shared/records/data-sets';
import { isSameDataSet, makeCatalogState } from '../../shared/store/catalog-types';
import type {
  CatalogEntry,
  CatalogState,
  DataSetName,
  DataStatement,
  SubmissionStatement,
} from '../../shared/store/catalog-types';
import type { ReleaseFacts, ReleaseWriter, Store } from '../../shared/store/port';
import { findReleaseFault, publishReadable } from '../../shared/store/readable-releases';
import { buildRelease, type BuildInput } from '../build/build-release';
import type { DataSetOutcome } from '../format/report';
import type { SubmissionMetadata } from '../format/submission-metadata';
import { BasisChangedError } from '../read/row-sources';
import { openFormerRelease, ReleaseComparison } from './comparison/release-comparison';

/** The outcome of a data set that was built. */
export type BuiltDataSet = DataSetOutcome & {
  readonly outcome: 'published' | 'unchanged' | 'would-publish';
  readonly releaseId: string;
};

export interface PublishOptions {
  readonly isDryRun: boolean;
  readonly isSample: boolean;
  /** ISO 8601, UTC. */
  readonly at: string;
  /** Called for a data set whose terms, contact or citation are not those that are published. */
  readonly onRestated: (dataSet: DataSetKind) => void;
  /** Called with what is about to be published and the state that will name it; if it throws, nothing is published. */
  readonly beforePublish?: (outcomes: readonly BuiltDataSet[], next: CatalogState) => Promise<void>;
}

interface PublishedDataSets {
  readonly outcomes: readonly BuiltDataSet[];
  /** The data version of the state that is as the outcomes say. */
  readonly version: string;
}

/** Gives the statement for a data set; a merge keeps terms of the former entry (ADR 0023). */
export type StatementOf = (former: CatalogEntry | undefined) => SubmissionStatement;

/** A release whose writer is still ours to finish or to abandon. */
interface OpenRelease {
  readonly writer: ReleaseWriter;
  /** Undefined until it is built. */
  built?: {
    readonly facts: ReleaseFacts;
    readonly comparison: ReleaseComparison;
    readonly submission: SubmissionStatement;
  };
  /** Finished for a publish that has not succeeded yet. */
  isFinished: boolean;
}

/** The cause of a state that a load of samples published. */
export const SAMPLES_CAUSE = 'samples';

/** Another loader can publish between our reading of the pointer and our step; several of them can be lucky in turn. */
const MAX_TRIES = 20;

export class DataSetsToPublish {
  private releases: OpenRelease[] = [];

  /** `basis` is what was current when a merge or a rebuild read it; a submission that replaces has none. */
  constructor(
    private readonly store: Store,
    private readonly basis: readonly CatalogEntry[] | undefined,
    private readonly submissionOf: StatementOf,
  ) {}

  /** Builds the release of a data set and compares it with the one that is current now. */
  async build(input: Omit<BuildInput, 'statement' | 'writer' | 'observer'>, isSample: boolean): Promise<void> {
    const { staged, organization, categoriesOf } = input;
    const { kind } = staged.definition;
    const writer = await this.store.startRelease();
    const release: OpenRelease = { writer, isFinished: false };
    this.releases.push(release);
    const { OrganizationUUID: organizationUuid, OrganizationState: state } = organization;
    const entry = findEntry(await this.store.currentState(), { organizationUuid, dataSet: kind }, isSample);
    const former = await openFormerRelease(this.store, entry);
    const comparison = new ReleaseComparison({ kind, state, categoriesOf }, former, input.staging.folder);
    const submission = this.submissionOf(entry);
    const facts = await buildRelease({
      ...input,
      statement: dataStatementOf(submission),
      writer,
      observer: comparison,
    });
    release.built = { facts, comparison, submission };
  }

  async publish(options: PublishOptions): Promise<PublishedDataSets> {
    for (let attempt = 0; attempt < MAX_TRIES; attempt++) {
      const published = await this.tryToPublish(options);
      if (published !== 'conflict') return published;
    }
    throw new Error('other loads kept publishing in between; try again');
  }

  /** Releases that were not published leave nothing behind. */
  async abandonUnfinished(): Promise<void> {
    for (const { writer } of this.releases) await writer.abandon();
    this.releases = [];
  }

  /** Returns 'conflict' if another load published since the state was read. */
  private async tryToPublish(options: PublishOptions): Promise<PublishedDataSets | 'conflict'> {
    const state = await this.store.currentState();
    const { version } = state;
    const outcomes: BuiltDataSet[] = [];
    for (const release of this.releases) outcomes.push(await this.finish(release, state, options));
    if (outcomes.every(({ outcome }) => outcome !== 'published')) return { outcomes, version };
    // Real data came while the samples were read: samples are only for a store without any.
    if (options.isSample && state.entries.some(({ isSample }) => !isSample)) return { outcomes: [], version };
    const next = nextState(state, this.publishedEntries(outcomes, options), options);
    await options.beforePublish?.(outcomes, next);
    if ((await publishReadable(this.store, state, next)) === 'conflict') return 'conflict';
    this.releases = this.releases.filter((release) => !release.isFinished);
    return { outcomes, version: next.version };
  }

  /** `outcomes` are those of the releases, in their order. */
  private publishedEntries(
    outcomes: readonly BuiltDataSet[],
    { isSample, at: publishedAt }: PublishOptions,
  ): readonly CatalogEntry[] {
    return this.releases.flatMap(({ built }, index): CatalogEntry[] => {
      const outcome = outcomes[index];
      if (built === undefined || outcome?.outcome !== 'published') return [];
      const { organizationUuid, dataSet, releaseId, records } = outcome;
      return [{ organizationUuid, dataSet, releaseId, records, isSample, publishedAt, submission: built.submission }];
    });
  }

  /** Finishes the release unless it is what is current and can be read, and says what it is beside that. */
  private async finish(release: OpenRelease, state: CatalogState, options: PublishOptions): Promise<BuiltDataSet> {
    if (release.built === undefined) throw new Error('a data set was started and not built');
    const { facts, comparison, submission } = release.built;
    const dataSet = { organizationUuid: facts.organization.OrganizationUUID, dataSet: facts.dataSet };
    const former = findEntry(state, dataSet, options.isSample);
    // A release that was built from the basis lacks what was published since: publishing would take that out again.
    const basis = this.basis === undefined ? former : this.basis.find((entry) => isSameDataSet(entry, dataSet));
    if (basis?.releaseId !== former?.releaseId) throw new BasisChangedError();
    if (isRestated(former?.submission, submission)) options.onRestated(facts.dataSet);
    const isCurrent = former?.releaseId === facts.releaseId;
    const isUnchanged = isCurrent && (await findReleaseFault(this.store, facts.releaseId, 'full')) === undefined;
    if (!isUnchanged && !options.isDryRun && !release.isFinished) {
      await release.writer.finish(facts);
      release.isFinished = true;
    }
    if (!comparison.isWith(former?.releaseId)) comparison.compareAgain(await openFormerRelease(this.store, former));
    return {
      ...dataSet,
      records: facts.records,
      outcome: isUnchanged ? 'unchanged' : options.isDryRun ? 'would-publish' : 'published',
      releaseId: facts.releaseId,
      formerReleaseId: former?.releaseId ?? null,
      ...(await comparison.result(await this.store.openRelease(facts.releaseId))),
    };
  }
}

/** Says for the catalog what a submission says of itself. */
export function statementOf(name: string, metadata: SubmissionMetadata): StatementOf {
  const { mode, note = null } = metadata;
  return (former) => {
    const terms = mode === 'merge' ? former?.submission : undefined;
    const stated = { contact: null, termsOfUse: null, license: null, citation: null, ...terms, ...metadata };
    const { contact, termsOfUse, license, citation } = stated;
    return { name, contact, note, termsOfUse, license, citation };
  };
}

function dataStatementOf({ contact, termsOfUse, license, citation }: SubmissionStatement): DataStatement {
  return { contact, termsOfUse, license, citation };
}

function isRestated(former: SubmissionStatement | undefined, next: SubmissionStatement): boolean {
  return former !== undefined && !isDeepStrictEqual(dataStatementOf(former), dataStatementOf(next));
}

/** Samples are no former release of real data. */
function findEntry(state: CatalogState, dataSet: DataSetName, isSample: boolean): CatalogEntry | undefined {
  return state.entries.find((entry) => isSameDataSet(entry, dataSet) && entry.isSample === isSample);
}

/** The first publish of real data drops the samples in the same step (architecture.md, "The way of a submission"). */
function nextState(
  state: CatalogState,
  published: readonly CatalogEntry[],
  { isSample, at }: PublishOptions,
): CatalogState {
  const others = state.entries.filter(
    (entry) => (isSample || !entry.isSample) && !published.some((dataSet) => isSameDataSet(entry, dataSet)),
  );
  return makeCatalogState([...others, ...published], at, isSample ? SAMPLES_CAUSE : 'load');
}
