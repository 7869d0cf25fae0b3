// Builds the releases of one submission's data sets and publishes them in one step: all of them or none
// (submissions.md, 5).

import { isDeepStrictEqual } from 'node:util';
import { DATA_SET_KINDS, type DataSetKind } from '../../shared/records/data-sets';
import {
  buildCatalogState,
  type CatalogEntry,
  type CatalogState,
  type DataSetName,
  type HeldDataSet,
  isSameDataSet,
  SAMPLES_CAUSE,
  type SubmissionStatement,
} from '../../shared/store/catalog-types';
import type { ReleaseFacts, ReleaseWriter, Store } from '../../shared/store/port';
import { findReleaseFault, publishReadable } from '../../shared/store/readable-releases';
import type { Day } from '../../shared/values/dates';
import { buildRelease } from '../build/build-release';
import type { BuildInput } from '../build/release-parts';
import type { ColumnLoss } from '../format/cell-losses';
import type { DataSetOutcome, LoadOutcome } from '../format/report';
import { BasisChangedError } from '../read/row-sources';
import { describeLostColumns, findColumnHolds } from './column-losses';
import {
  buildHeldOutcome,
  buildRefusedOutcome,
  type BuiltDataSet,
  findConfirmationCode,
  isHeld,
  toRefused,
  writeVerdictSentence,
} from './outcomes';
import { openPreviousRelease } from './previous-release';
import { type PublishOptions } from './publish-options';
import { clearChanges, type ComparedMembers, NOT_COMPARED, ReleaseComparison } from './release-comparison';
import { type StatementBuilder, toDataStatement } from './statements';

export interface SubmissionToPublish {
  readonly organizationUuid: string;
  readonly isSample: boolean;
  /** False for samples and rebuilds, because nobody submitted them. */
  readonly isSubmitted: boolean;
  /** The day of the submission. */
  readonly day: Day;
  readonly buildStatement: StatementBuilder;
  /** The columns of the submission with lost cells (D74). */
  readonly columnLosses: readonly ColumnLoss[];
  /**
   * The entries that were current when a merge or rebuild read them. Undefined for a submission that replaces
   * everything.
   */
  readonly basis: readonly CatalogEntry[] | undefined;
}

/** A built release whose writer must still be finished or abandoned. */
interface BuiltRelease {
  readonly writer: ReleaseWriter;
  readonly facts: ReleaseFacts;
  readonly statement: SubmissionStatement;
  /** The entry that was current during the build. The release was compared with it, and a merge is based on it. */
  readonly previous: CatalogEntry | undefined;
  readonly comparison: ComparedMembers;
  /** Whether the writer was finished for a publish that has not succeeded yet. */
  isFinished: boolean;
}

/**
 * Limits the retries, because other loads may publish other data sets after we read the state and before we publish.
 */
const MAX_ATTEMPTS = 20;

export class DataSetsToPublish {
  private releases: BuiltRelease[] = [];
  private readonly kept: DataSetOutcome[] = [];

  constructor(
    private readonly store: Store,
    private readonly submission: SubmissionToPublish,
  ) {}

  /** Keeps a data set unchanged, because its file has no accepted rows. */
  keep(dataSet: DataSetKind): void {
    const { organizationUuid } = this.submission;
    const none = { releaseId: null, formerReleaseId: null, ...NOT_COMPARED };
    this.kept.push({ organizationUuid, dataSet, records: 0, outcome: 'kept', ...none });
  }

  /** Builds the release of a data set and compares it with the current one. */
  async build(input: Omit<BuildInput, 'statement' | 'writer' | 'observer'>): Promise<void> {
    const { kind } = input.staged.definition;
    const { basis, day, buildStatement } = this.submission;
    const previous = this.findEntry((await this.store.currentState()).entries, kind);
    // A release built on an outdated basis lacks what was published since then, and publishing it would remove those
    // changes.
    if (basis !== undefined) assertSameRelease(this.findEntry(basis, kind), previous);
    const statement = buildStatement(previous);
    const comparison = new ReleaseComparison(input, await openPreviousRelease(this.store, previous), day);
    const writer = await this.store.startRelease();
    try {
      const parts = { statement: toDataStatement(statement), writer, observer: comparison };
      const facts = await buildRelease({ ...input, ...parts });
      comparison.finish(writer);
      const compared = await comparison.result(findColumnHolds(kind, this.submission.columnLosses));
      this.releases.push({
        writer,
        facts,
        statement,
        previous,
        comparison: compared,
        isFinished: false,
      });
    } catch (error) {
      await writer.abandon();
      throw error;
    }
  }

  /** Throws BasisChangedError if another load has published one of the data sets since it was built. */
  async publish(options: PublishOptions): Promise<LoadOutcome> {
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
      const outcome = await this.tryPublish(options);
      if (outcome !== 'conflict') return outcome;
    }
    throw new Error('other loads kept publishing at the same time; try again');
  }

  /** Removes what remains of releases that were not published. */
  async abandonUnfinished(): Promise<void> {
    for (const { writer } of this.releases) await writer.abandon();
    this.releases = [];
  }

  /** Returns 'conflict' if another load has published since the state was read. */
  private async tryPublish(options: PublishOptions): Promise<LoadOutcome | 'conflict'> {
    const state = await this.store.currentState();
    const assessments: BuiltDataSet[] = [];
    for (const release of this.releases) assessments.push(await this.assess(release, state, options));
    const isNothingToPublish = assessments.every(({ outcome }) => outcome === 'unchanged');
    if (isNothingToPublish || options.isDryRun || options.refusal !== undefined || isHeld(assessments, options)) {
      const outcome = this.buildOutcome(assessments, state.version, options);
      await this.updateHeldList(outcome, options);
      return outcome;
    }
    const built: BuiltDataSet[] = [];
    for (const [index, dataSet] of assessments.entries()) built.push(await this.finish(dataSet, this.releases[index]));
    const { isSample } = this.submission;
    // Real data were published while the samples were being loaded. Samples are only for a store without real data.
    if (isSample && state.entries.some((entry) => !entry.isSample))
      return this.buildOutcome([], state.version, options);
    const next = this.buildNextState(state, built, options.at);
    for (const dataSet of built) noteRewrittenRelease(dataSet, options);
    const outcome = this.buildOutcome(built, next.version, options);
    await options.beforePublish(outcome, next);
    // Called before the publish. If this process ends in between, the submission is still in the inbox and is loaded
    // again.
    await this.updateHeldList(outcome, options);
    if ((await publishReadable(this.store, state, next)) === 'conflict') return 'conflict';
    this.releases = this.releases.filter((release) => !release.isFinished);
    return outcome;
  }

  /**
   * Compares a release with the current one: whether both have the same content, and whether the current one is
   * readable.
   */
  private async assess(release: BuiltRelease, state: CatalogState, options: PublishOptions): Promise<BuiltDataSet> {
    const { facts, previous, statement, comparison: compared } = release;
    const { dataSet, records, releaseId } = facts;
    const current = this.findEntry(state.entries, dataSet);
    assertSameRelease(previous, current);
    const stated = current?.submission;
    if (stated !== undefined && !isDeepStrictEqual(toDataStatement(stated), toDataStatement(statement))) {
      options.note(`The contact, terms, license or citation of ${dataSet} differ from those that were published.`);
    }
    const isCurrent = current?.releaseId === releaseId;
    const isUnchanged = isCurrent && (await findReleaseFault(this.store, releaseId, 'full')) === undefined;
    return {
      organizationUuid: this.submission.organizationUuid,
      dataSet,
      records,
      outcome: isUnchanged ? 'unchanged' : 'would-publish',
      releaseId,
      formerReleaseId: current?.releaseId ?? null,
      ...compared,
      ...(isUnchanged || options.confirmation === undefined ? { holds: [] } : {}),
    };
  }

  /** Finishes the release of a data set that is to be published. */
  private async finish(dataSet: BuiltDataSet, release: BuiltRelease | undefined): Promise<BuiltDataSet> {
    const { outcome, releaseId, formerReleaseId, examples } = dataSet;
    if (release === undefined) throw new Error(`nothing was built of ${dataSet.dataSet}`);
    if (outcome === 'would-publish' && !release.isFinished) {
      await release.writer.finish(release.facts);
      release.isFinished = true;
    }
    // The current release could not be read when this release was built, but it has the same name and thus the same
    // content.
    const isRewritten = releaseId === formerReleaseId && examples === null;
    return {
      ...dataSet,
      ...(isRewritten ? clearChanges(dataSet) : {}),
      outcome: outcome === 'would-publish' ? 'published' : outcome,
    };
  }

  /** The first publish of real data drops the samples in the same step (architecture.md, "The path of a submission"). */
  private buildNextState(state: CatalogState, built: readonly BuiltDataSet[], publishedAt: string): CatalogState {
    const { isSample } = this.submission;
    const published = this.releases.flatMap(({ facts, statement }, index): CatalogEntry[] => {
      const dataSet = built[index];
      if (dataSet?.outcome !== 'published') return [];
      const { organizationUuid } = dataSet;
      const { dataSet: kind, releaseId, records } = facts;
      return [{ organizationUuid, dataSet: kind, releaseId, records, isSample, publishedAt, submission: statement }];
    });
    const others = state.entries.filter(
      (entry) => (isSample || !entry.isSample) && !published.some((dataSet) => isSameDataSet(entry, dataSet)),
    );
    return buildCatalogState([...others, ...published], publishedAt, isSample ? SAMPLES_CAUSE : 'load');
  }

  /** Builds the outcome. `dataVersion` identifies the catalog state that the outcome describes. */
  private buildOutcome(built: readonly BuiltDataSet[], dataVersion: string, options: PublishOptions): LoadOutcome {
    const dataSets = [...built, ...this.kept].sort(
      (a, b) => DATA_SET_KINDS.indexOf(a.dataSet) - DATA_SET_KINDS.indexOf(b.dataSet),
    );
    if (options.refusal !== undefined) return buildRefusedOutcome(options.refusal, dataSets.map(toRefused));
    const code = findConfirmationCode(built);
    if (isHeld(built, options)) {
      const held = buildHeldOutcome(dataSets, code, options);
      return { ...held, sentence: this.addLostColumns(held.sentence) };
    }
    const isUnchanged = built.every(({ outcome }) => outcome === 'unchanged');
    const changedVerdict = options.isDryRun ? 'would-publish' : 'published';
    const verdict = isUnchanged ? 'unchanged' : changedVerdict;
    return {
      verdict,
      sentence: this.addLostColumns(writeVerdictSentence(verdict, dataSets, options)),
      dataVersion,
      confirmationCode: code,
      dataSets,
    };
  }

  /** The first line of a report lists each lost column, whether or not the submission is held because of it (D74). */
  private addLostColumns(sentence: string): string {
    const lost = describeLostColumns(this.submission.columnLosses);
    return [sentence, ...lost.filter((one) => !sentence.includes(one))].join(' ');
  }

  /** Updates the list of held data sets: a held or settled data set replaces its earlier entry. */
  private async updateHeldList(
    { verdict, dataSets, confirmationCode }: LoadOutcome,
    { at }: PublishOptions,
  ): Promise<void> {
    if (!this.submission.isSubmitted || !['held', 'published', 'unchanged'].includes(verdict)) return;
    const settled = dataSets.filter(({ outcome }) => outcome !== 'kept');
    const held = this.releases.flatMap(({ facts: { dataSet }, statement }): readonly HeldDataSet[] => {
      const { outcome, holds = [] } = settled.find((one) => one.dataSet === dataSet) ?? {};
      if (outcome !== 'held' || holds.length === 0 || confirmationCode === null) return [];
      const { organizationUuid } = this.submission;
      const reasons = holds.map(({ reason }) => reason);
      return [{ organizationUuid, dataSet, submission: statement.name, heldAt: at, reasons, confirmationCode }];
    });
    await this.store.held.change((previous) => {
      const others = previous.filter((one) => !settled.some((dataSet) => isSameDataSet(one, dataSet)));
      return held.length === 0 && others.length === previous.length ? previous : [...others, ...held];
    });
  }

  /** Samples do not count as a previous release of real data. */
  private findEntry(entries: readonly CatalogEntry[], dataSet: DataSetKind): CatalogEntry | undefined {
    const { organizationUuid, isSample } = this.submission;
    const name: DataSetName = { organizationUuid, dataSet };
    return entries.find((entry) => isSameDataSet(entry, name) && entry.isSample === isSample);
  }
}

function assertSameRelease(expected: CatalogEntry | undefined, current: CatalogEntry | undefined): void {
  if (expected?.releaseId !== current?.releaseId) throw new BasisChangedError();
}

/** A release that is already current is published again only if it was unreadable. */
function noteRewrittenRelease(
  { outcome, releaseId, formerReleaseId, dataSet }: BuiltDataSet,
  options: PublishOptions,
): void {
  if (outcome !== 'published' || releaseId !== formerReleaseId) return;
  options.note(`The published release of ${dataSet} could not be read and was written again, with the same content.`);
}
