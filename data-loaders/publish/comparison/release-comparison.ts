// A release beside the former one of its data set: fed while the release is built, so that neither's records are held or read
// again but for the few examples. What the next comparison needs is kept with the release.

import type { DataSetKind } from '../../../shared/records/data-sets';
import { listText } from '../../../shared/store/fragments';
import type { ReleaseReader, ReleaseWriter } from '../../../shared/store/port';
import type { Box } from '../../../shared/values/geometry';
import { FingerprintBuilder, type Fingerprints } from '../../build/index/fingerprints';
import type { VariableRow } from '../../format/lookup-files';
import type { UseCategories } from '../../build/records/use-categories';
import { MAX_EXAMPLES_SHOWN, type ChangeExamples, type UncategorizedUse } from '../../format/comparison-members';
import type { DataSetOutcome } from '../../format/report';
import { differencesOf, identityOf, type AnyRecord } from './describe-record';
import { findSmells } from './find-smells';
import { measuresOfKind, type FormerRelease } from './open-former';
import { PlaceComparison } from './place-comparison';
import { compareFingerprints, RecordComparison, type RecordExample, type RecordFindings } from './record-comparison';
import { compareTotals, TotalsBuilder, type Totals } from './totals';

/** The members of a data set's outcome that a comparison gives. */
export type Compared = Pick<DataSetOutcome, 'change' | 'examples' | 'totals' | 'smells' | 'uncategorizedUses'>;

/** Of a data set that stays as it was. */
export const NOT_COMPARED: Compared = { change: null, examples: null, totals: null, smells: [], uncategorizedUses: [] };

export interface ComparedRecord {
  /** keyFingerprint of it. */
  readonly key: number;
  readonly variable: VariableRow;
  /** The primary use among them. */
  readonly uses: readonly string[];
  /** In the order of measuresOfKind. */
  readonly measures: readonly (number | null)[];
  /** Undefined unless the record has both dates. */
  readonly isReversed: boolean | undefined;
}

interface MadeContent {
  /** In UTF-8. */
  readonly json: Uint8Array;
  /** contentFingerprint of it. */
  readonly fingerprint: number;
}

/** Without what only the comparing itself needs. */
type FormerSummary = Pick<FormerRelease, 'reader' | 'totals'>;

interface Built {
  readonly fingerprints: Fingerprints;
  readonly totals: Totals;
  readonly records: RecordFindings | undefined;
}

export class ReleaseComparison {
  private readonly fingerprints: FingerprintBuilder;
  private readonly totals: TotalsBuilder;
  private readonly places: PlaceComparison;
  private records: RecordComparison | undefined;
  private readonly timeframes = { whole: 0, reversed: 0 };
  /** The release that it was compared with while it was built. */
  private former: FormerSummary | undefined;
  private built: Built | undefined;

  /**
   * `state` is the organization's, two letters; `former` the release that is current when the building starts. There are no more
   * records than `rows`.
   */
  constructor(
    private readonly kind: DataSetKind,
    private readonly state: string,
    former: FormerRelease | undefined,
    private readonly categoriesOf: (use: string) => UseCategories,
    rows: number,
  ) {
    const measures = measuresOfKind[kind];
    this.fingerprints = new FingerprintBuilder(measures.length, rows);
    this.totals = new TotalsBuilder(measures);
    this.places = new PlaceComparison(state, former?.positions, MAX_EXAMPLES_SHOWN);
    if (former === undefined) return;
    this.former = { reader: former.reader, totals: former.totals };
    this.records = new RecordComparison(former.fingerprints, MAX_EXAMPLES_SHOWN);
  }

  /** `box` is the place's point, or what its geometry covers. */
  addPlace(id: string, box: Box): void {
    this.places.add(id, box);
  }

  /** Records come in the order of their numbers. */
  addRecord({ key, variable, uses, measures, isReversed }: ComparedRecord, { json, fingerprint }: MadeContent): void {
    this.fingerprints.add(key, fingerprint, measures);
    this.records?.add(key, fingerprint, measures, json);
    const { VariableSpecificUUID: uuid, VariableSpecificCV: name, AmountUnitCV } = variable;
    // The measures of an allocation say their units in their names.
    const unit = this.kind === 'WaterAllocations' ? null : AmountUnitCV;
    this.totals.add({ uuid, name, unit }, uses, measures);
    if (isReversed === undefined) return;
    this.timeframes.whole++;
    if (isReversed) this.timeframes.reversed++;
  }

  /** All was added: writes what the next comparison needs and frees what only this one needed. */
  finish(writer: ReleaseWriter): void {
    const { content, fingerprints } = this.fingerprints.build();
    const totals = this.totals.build();
    writer.addArtifact('fingerprints', content);
    writer.addArtifact('totals', Buffer.from(JSON.stringify(totals)));
    writer.addArtifact('positions', this.places.finish());
    this.built = { fingerprints, totals, records: this.records?.findings() };
    this.records = undefined;
  }

  /** Whether the release was compared with this one while it was built; undefined stands for none. */
  isWith(releaseId: string | undefined): boolean {
    return this.former?.reader.facts.releaseId === releaseId;
  }

  /** Where another load came between, the release is compared once more, with the one that is current now. */
  compareAgain(former: FormerRelease | undefined): void {
    const { fingerprints, totals } = this.whole();
    const records =
      former === undefined ? undefined : compareFingerprints(former.fingerprints, fingerprints, MAX_EXAMPLES_SHOWN);
    this.former = former === undefined ? undefined : { reader: former.reader, totals: former.totals };
    this.built = { fingerprints, totals, records };
  }

  /** `next` reads the release itself once it is finished, for examples that are not at hand after comparing again. */
  async result(next: ReleaseReader | undefined): Promise<Compared> {
    const { fingerprints, totals, records } = this.whole();
    const { former } = this;
    const uncategorizedUses = this.uncategorizedUses();
    const places = this.places.findings();
    const subjects = { kind: this.kind, state: this.state, places, timeframes: this.timeframes };
    const totalsChange = compareTotals(former?.totals, totals);
    if (former === undefined || records === undefined) {
      const smells = findSmells({ ...subjects, records: undefined, jumps: [] });
      const change = { added: fingerprints.keys.length, removed: 0, changed: 0 };
      return { change, examples: null, totals: totalsChange, smells, uncategorizedUses };
    }
    const shown = await readExamples(records, former.reader, next);
    const { added, removed, changed } = records;
    return {
      change: { added, removed, changed },
      examples: this.examplesOf(records, shown),
      totals: totalsChange,
      smells: findSmells({ ...subjects, records, jumps: shown.pairs(records.jumpedExamples) }),
      uncategorizedUses,
    };
  }

  private whole(): Built {
    if (this.built === undefined) throw new Error('a comparison was asked for before all records were there');
    return this.built;
  }

  private examplesOf(records: RecordFindings, shown: ShownRecords): ChangeExamples {
    const identity = (record: AnyRecord): ReturnType<typeof identityOf> => identityOf(this.kind, record);
    return {
      added: shown.nexts(records.addedExamples).map(identity),
      removed: shown.formers(records.removedExamples).map(identity),
      changed: shown.pairs(records.changedExamples).map(({ before, after }) => ({
        identity: identity(after),
        members: differencesOf(before, after),
      })),
    };
  }

  /** In the order of the uses. */
  private uncategorizedUses(): readonly UncategorizedUse[] {
    const found: UncategorizedUse[] = [];
    for (const [use, records] of this.totals.recordsOfUses()) {
      const { usgs, primaryUse } = this.categoriesOf(use);
      if (usgs === null) found.push({ use, records, primaryUse });
    }
    return found.sort((a, b) => b.records - a.records || (a.use < b.use ? -1 : 1));
  }
}

/** The few records of both releases that examples are made of. */
interface ShownRecords {
  readonly formers: (numbers: readonly number[]) => readonly AnyRecord[];
  readonly nexts: (examples: readonly RecordExample[]) => readonly AnyRecord[];
  readonly pairs: (examples: readonly RecordExample[]) => readonly { before: AnyRecord; after: AnyRecord }[];
}

async function readExamples(
  records: RecordFindings,
  former: ReleaseReader,
  next: ReleaseReader | undefined,
): Promise<ShownRecords> {
  const examples = [...records.addedExamples, ...records.changedExamples, ...records.jumpedExamples];
  const formerNumbers = examples.flatMap(({ formerNumber }) => formerNumber ?? []);
  const befores = await readByNumber(former, [...formerNumbers, ...records.removedExamples]);
  const unread = examples.filter(({ json }) => json === undefined).map(({ nextNumber }) => nextNumber);
  const afters = next === undefined ? new Map<number, AnyRecord>() : await readByNumber(next, unread);
  const afterOf = ({ json, nextNumber }: RecordExample): AnyRecord | undefined =>
    json === undefined ? afters.get(nextNumber) : (JSON.parse(json) as AnyRecord); // Written by the recordWriters.
  return {
    formers: (numbers) => numbers.map((number) => befores.get(number)).filter((record) => record !== undefined),
    nexts: (list) => list.map(afterOf).filter((record) => record !== undefined),
    pairs: (list) =>
      list.flatMap((example) => {
        const before = befores.get(example.formerNumber ?? -1);
        const after = afterOf(example);
        return before === undefined || after === undefined ? [] : [{ before, after }];
      }),
  };
}

async function readByNumber(
  reader: ReleaseReader,
  numbers: readonly number[],
): Promise<ReadonlyMap<number, AnyRecord>> {
  const ascending = [...new Set(numbers)].sort((a, b) => a - b);
  const found = await reader.records(Uint32Array.from(ascending));
  const records = JSON.parse(listText(found)) as readonly AnyRecord[]; // Records of a release are JSON objects.
  return new Map(records.map((record, index) => [ascending[index] ?? -1, record]));
}
