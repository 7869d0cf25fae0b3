// Builds the releases of one submission's data sets and publishes them in one step: all of them or none
// (submissions.md, 5). The outcome is what the report says of it: its verdict, its sentence and its data sets.

import { isDeepStrictEqual } from 'node:util';
import { DATA_SET_KINDS, type DataSetKind } from '../../shared/records/data-sets';
import {
  type CatalogEntry,
  type CatalogState,
  type DataSetName,
  type DataStatement,
  type HeldDataSet,
  isSameDataSet,
  makeCatalogState,
  SAMPLES_CAUSE,
  type SubmissionStatement,
} from '../../shared/store/catalog-types';
import type { ReleaseFacts, ReleaseWriter, Store } from '../../shared/store/port';
import { findReleaseFault, publishReadable } from '../../shared/store/readable-releases';
import type { Day } from '../../shared/values/dates';
import { type BuildInput, buildRelease } from '../build/build-release';
import { counted, type DataSetOutcome, grouped, type LoadOutcome, type Report } from '../format/report';
import type { SubmissionMetadata } from '../format/submitted-files';
import { BasisChangedError } from '../read/row-sources';
import { confirmationCode } from './holds';
import {
  type ComparedMembers,
  NOT_COMPARED,
  openFormerRelease,
  ReleaseComparison,
  withoutChanges,
} from './release-comparison';

/** `problem` continues the sentence "Refused: ". */
export function refusedOutcome(problem: string, dataSets: readonly DataSetOutcome[] = []): LoadOutcome {
  return { verdict: 'refused', sentence: `Refused: ${problem}.`, dataVersion: null, confirmationCode: null, dataSets };
}

/** The report on a submission whose rows were not read. */
export function refusedReport(problem: string): Report {
  return { ...refusedOutcome(problem), files: [], findings: [], notes: [], milliseconds: 0 };
}

/** The outcome of a data set that was built. */
type BuiltDataSet = DataSetOutcome & { readonly outcome: 'published' | 'unchanged' | 'would-publish' };

export interface PublishOptions {
  readonly isDryRun: boolean;
  /** Why nothing of what was built may be published. The report says all the same what would have changed. */
  readonly refusal: string | undefined;
  /** The code with which somebody confirms what has holds; undefined where nothing is held (D64). */
  readonly confirmation: { readonly code: string | undefined } | undefined;
  /** The number of rejected rows of all files. */
  readonly rejectedRows: number;
  /** ISO 8601, UTC. */
  readonly at: string;
  /** Adds a note to the report; the same one may come several times, since a publish may take several tries. */
  readonly note: (sentence: string) => void;
  /** Called with what is about to be published and the state that will name it; if it throws, nothing is published. */
  readonly beforePublish: (outcome: LoadOutcome, next: CatalogState) => Promise<void>;
}

/** Gives the statement for a data set; a merge keeps terms of the former entry (ADR 0105). */
type StatementOf = (former: CatalogEntry | undefined) => SubmissionStatement;

export interface SubmissionToPublish {
  readonly organizationUuid: string;
  readonly isSample: boolean;
  /** False for samples and rebuilds, which say nothing about what somebody has submitted. */
  readonly isSubmitted: boolean;
  /** The day of the submission. */
  readonly day: Day;
  readonly statementOf: StatementOf;
  /** What was current when a merge or a rebuild read it; a submission that replaces has none. */
  readonly basis: readonly CatalogEntry[] | undefined;
}

/** A release that was built, and whose writer is still ours to finish or to abandon. */
interface BuiltRelease {
  readonly writer: ReleaseWriter;
  readonly facts: ReleaseFacts;
  readonly statement: SubmissionStatement;
  /** What was current when it was built: it was compared with this, and a merge was laid over it. */
  readonly former: CatalogEntry | undefined;
  readonly compared: ComparedMembers;
  /** Finished for a publish that has not succeeded yet. */
  isFinished: boolean;
}

/** Another load can publish other data sets after we read the catalog state and before our step, and so on. */
const MAX_TRIES = 20;

export class DataSetsToPublish {
  private releases: BuiltRelease[] = [];
  private readonly kept: DataSetOutcome[] = [];

  constructor(
    private readonly store: Store,
    private readonly submission: SubmissionToPublish,
  ) {}

  /** A data set whose file has no accepted row stays as it was. */
  keep(dataSet: DataSetKind): void {
    const { organizationUuid } = this.submission;
    const none = { releaseId: null, formerReleaseId: null, ...NOT_COMPARED };
    this.kept.push({ organizationUuid, dataSet, records: 0, outcome: 'kept', ...none });
  }

  /** Builds the release of a data set and compares it with the one that is current now. */
  async build(input: Omit<BuildInput, 'statement' | 'writer' | 'observer'>): Promise<void> {
    const { kind } = input.staged.definition;
    const { basis, day, statementOf } = this.submission;
    const former = this.entryIn((await this.store.currentState()).entries, kind);
    // A release that is built from the basis lacks what was published since: publishing would take that out again.
    if (basis !== undefined) throwIfOther(this.entryIn(basis, kind), former);
    const statement = statementOf(former);
    const comparison = new ReleaseComparison(input, await openFormerRelease(this.store, former), day);
    const writer = await this.store.startRelease();
    try {
      const parts = { statement: dataStatementOf(statement), writer, observer: comparison };
      const facts = await buildRelease({ ...input, ...parts });
      comparison.finish(writer);
      const compared = await comparison.result();
      this.releases.push({ writer, facts, statement, former, compared, isFinished: false });
    } catch (error) {
      await writer.abandon();
      throw error;
    }
  }

  /** Throws BasisChangedError when another load has published one of the data sets since it was built. */
  async publish(options: PublishOptions): Promise<LoadOutcome> {
    for (let attempt = 0; attempt < MAX_TRIES; attempt++) {
      const outcome = await this.tryToPublish(options);
      if (outcome !== 'conflict') return outcome;
    }
    throw new Error('other loads kept publishing in between; try again');
  }

  /** Releases that were not published leave nothing behind. */
  async abandonUnfinished(): Promise<void> {
    for (const { writer } of this.releases) await writer.abandon();
    this.releases = [];
  }

  /** Returns 'conflict' if another load published since the state was read. */
  private async tryToPublish(options: PublishOptions): Promise<LoadOutcome | 'conflict'> {
    const state = await this.store.currentState();
    const looked: BuiltDataSet[] = [];
    for (const release of this.releases) looked.push(await this.look(release, state, options));
    const isNothingToPublish = looked.every(({ outcome }) => outcome === 'unchanged');
    if (isNothingToPublish || options.isDryRun || options.refusal !== undefined || isHeld(looked, options)) {
      const outcome = this.outcomeOf(looked, state.version, options);
      await this.noteHeld(outcome, options);
      return outcome;
    }
    const built: BuiltDataSet[] = [];
    for (const [index, dataSet] of looked.entries()) built.push(await this.finish(dataSet, this.releases[index]));
    const { isSample } = this.submission;
    // Real data came while the samples were read: samples are only for a store without any.
    if (isSample && state.entries.some((entry) => !entry.isSample)) return this.outcomeOf([], state.version, options);
    const next = this.nextState(state, built, options.at);
    for (const dataSet of built) noteWrittenAnew(dataSet, options);
    const outcome = this.outcomeOf(built, next.version, options);
    await options.beforePublish(outcome, next);
    // Before the publish: if this process ends in between, the submission is still there, and is loaded again.
    await this.noteHeld(outcome, options);
    if ((await publishReadable(this.store, state, next)) === 'conflict') return 'conflict';
    this.releases = this.releases.filter((release) => !release.isFinished);
    return outcome;
  }

  /** Says what the release is beside the current one, which may be the same and can be read. */
  private async look(release: BuiltRelease, state: CatalogState, options: PublishOptions): Promise<BuiltDataSet> {
    const { facts, former, statement, compared } = release;
    const { dataSet, records, releaseId } = facts;
    const current = this.entryIn(state.entries, dataSet);
    throwIfOther(former, current);
    const stated = current?.submission;
    if (stated !== undefined && !isDeepStrictEqual(dataStatementOf(stated), dataStatementOf(statement))) {
      options.note(`The contact, terms, licence or citation of ${dataSet} are not those that were published.`);
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
    // The current release could not be read when this one was built, but its name says that its content is the same.
    const isAnew = releaseId === formerReleaseId && examples === null;
    return {
      ...dataSet,
      ...(isAnew ? withoutChanges(dataSet) : {}),
      outcome: outcome === 'would-publish' ? 'published' : outcome,
    };
  }

  /** The first publish of real data drops the samples in the same step (architecture.md, "The way of a submission"). */
  private nextState(state: CatalogState, built: readonly BuiltDataSet[], publishedAt: string): CatalogState {
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
    return makeCatalogState([...others, ...published], publishedAt, isSample ? SAMPLES_CAUSE : 'load');
  }

  /** `dataVersion` is that of the state that is as the outcome says. */
  private outcomeOf(built: readonly BuiltDataSet[], dataVersion: string, options: PublishOptions): LoadOutcome {
    const dataSets = [...built, ...this.kept].sort(
      (a, b) => DATA_SET_KINDS.indexOf(a.dataSet) - DATA_SET_KINDS.indexOf(b.dataSet),
    );
    if (options.refusal !== undefined) return refusedOutcome(options.refusal, dataSets.map(asRefused));
    const code = codeOf(built);
    if (isHeld(built, options)) return heldOutcome(dataSets, code, options);
    const isUnchanged = built.every(({ outcome }) => outcome === 'unchanged');
    const verdict = isUnchanged ? 'unchanged' : options.isDryRun ? 'would-publish' : 'published';
    return { verdict, sentence: sentenceOf(verdict, dataSets, options), dataVersion, confirmationCode: code, dataSets };
  }

  /** Keeps the list of what is held: a data set that is held or settled takes the place of what was held of it. */
  private async noteHeld({ verdict, dataSets, confirmationCode }: LoadOutcome, { at }: PublishOptions): Promise<void> {
    if (!this.submission.isSubmitted || !['held', 'published', 'unchanged'].includes(verdict)) return;
    const settled = dataSets.filter(({ outcome }) => outcome !== 'kept');
    const held = this.releases.flatMap(({ facts: { dataSet }, statement }): readonly HeldDataSet[] => {
      const { outcome, holds = [] } = settled.find((one) => one.dataSet === dataSet) ?? {};
      if (outcome !== 'held' || holds.length === 0 || confirmationCode === null) return [];
      const { organizationUuid } = this.submission;
      const reasons = holds.map(({ reason }) => reason);
      return [{ organizationUuid, dataSet, submission: statement.name, heldAt: at, reasons, confirmationCode }];
    });
    await this.store.held.change((former) => {
      const others = former.filter((one) => !settled.some((dataSet) => isSameDataSet(one, dataSet)));
      return held.length === 0 && others.length === former.length ? former : [...others, ...held];
    });
  }

  /** Samples are no former release of real data. */
  private entryIn(entries: readonly CatalogEntry[], dataSet: DataSetKind): CatalogEntry | undefined {
    const { organizationUuid, isSample } = this.submission;
    const name: DataSetName = { organizationUuid, dataSet };
    return entries.find((entry) => isSameDataSet(entry, name) && entry.isSample === isSample);
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

function throwIfOther(expected: CatalogEntry | undefined, current: CatalogEntry | undefined): void {
  if (expected?.releaseId !== current?.releaseId) throw new BasisChangedError();
}

/** A release that was current already is published once more only if it could not be read. */
function noteWrittenAnew(
  { outcome, releaseId, formerReleaseId, dataSet }: BuiltDataSet,
  options: PublishOptions,
): void {
  if (outcome !== 'published' || releaseId !== formerReleaseId) return;
  options.note(`The published release of ${dataSet} could not be read and was written anew, with the same content.`);
}

function asRefused(dataSet: DataSetOutcome): DataSetOutcome {
  if (dataSet.outcome !== 'would-publish') return dataSet;
  return { ...dataSet, outcome: 'refused', releaseId: null, holds: [] };
}

/** The code that publishes data sets with holds; null without any. */
function codeOf(built: readonly BuiltDataSet[]): string | null {
  const changed = built.filter(({ outcome }) => outcome !== 'unchanged');
  return changed.some(({ holds }) => holds.length > 0) ? confirmationCode(changed) : null;
}

function isHeld(built: readonly BuiltDataSet[], { confirmation }: PublishOptions): boolean {
  const code = codeOf(built);
  return confirmation !== undefined && code !== null && confirmation.code?.trim().toLowerCase() !== code;
}

function heldOutcome(
  dataSets: readonly DataSetOutcome[],
  code: string | null,
  { isDryRun, confirmation }: PublishOptions,
): LoadOutcome {
  const verdict = isDryRun ? 'would-be-held' : 'held';
  const held = dataSets.map((dataSet): DataSetOutcome => {
    return dataSet.outcome === 'would-publish' ? { ...dataSet, outcome: verdict, releaseId: null } : dataSet;
  });
  const holds = held.flatMap(({ dataSet, holds: found }) => found.map(({ sentence }) => `${dataSet}: ${sentence}`));
  const given = confirmation?.code === undefined ? '' : ' The confirmation code that was given is for something else.';
  const start = isDryRun ? 'Dry run: would be held' : 'Held';
  const sentence = `${start}: nothing is published until somebody confirms it. ${holds.join(' ')}${given}`;
  return { verdict, sentence, dataVersion: null, confirmationCode: code, dataSets: held };
}

function sentenceOf(
  verdict: BuiltDataSet['outcome'],
  dataSets: readonly DataSetOutcome[],
  { rejectedRows }: PublishOptions,
): string {
  const built = dataSets.filter(({ outcome }) => outcome !== 'kept');
  const kept = dataSets.filter(({ outcome }) => outcome === 'kept').map(({ dataSet }) => dataSet);
  const rejected = rejectedRows === 0 ? '' : `; ${counted(rejectedRows, 'row')} rejected`;
  const [stay, file] =
    kept.length === 1 ? ['stays as it was', 'its file has'] : ['stay as they were', 'their files have'];
  const stays = kept.length === 0 ? '' : ` ${kept.join(' and ')} ${stay}: ${file} no row that could be taken.`;
  const warnings = [...new Set(built.flatMap((dataSet) => dataSet.smells.map(({ smell }) => smell)))];
  const look = warnings.length === 0 ? '' : ` A person should look at it: ${warnings.join(', ')}.`;
  if (verdict === 'unchanged') {
    const names = built.map(({ dataSet, records }) => `${counted(records, 'record')} of ${dataSet}`).join(' and ');
    return `Nothing changes: ${names} are published already, exactly the same${rejected}.${stays}${look}`;
  }
  const would = verdict === 'published' ? '' : ' would be published';
  const changes = built
    .filter(({ outcome }) => outcome !== 'unchanged')
    .map(({ dataSet, records, change }) => {
      const { added, removed, changed } = change ?? { added: records, removed: 0, changed: 0 };
      const against = `${grouped(added)} added, ${grouped(removed)} removed, ${grouped(changed)} changed`;
      return `${counted(records, 'record')} of ${dataSet}${would}: ${against}`;
    });
  return `${verdict === 'published' ? 'Published' : 'Dry run:'} ${changes.join('; ')}${rejected}.${stays}${look}`;
}
