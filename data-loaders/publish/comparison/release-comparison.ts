// Compares a release with the former one of its data set while it is built (ADR 0016), so that the records of neither
// are held in memory or read again, except for a few examples. What the next comparison will need is stored with the
// release.

import type { DataSetKind } from '../../../shared/records/data-sets';
import type { CatalogEntry } from '../../../shared/store/catalog-types';
import type { ReleaseReader, ReleaseWriter, Store } from '../../../shared/store/port';
import { findReleaseFault } from '../../../shared/store/readable-releases';
import type { Box } from '../../../shared/values/geometry';
import type { ObservedRecord, ReleaseObserver } from '../../build/build-release';
import { readFingerprints, type Fingerprints } from '../../../shared/search/release-changes';
import { FingerprintBuilder } from '../../build/index/fingerprints';
import type { BuiltRecord } from '../../build/record-batches';
import type { UseCategories } from '../../build/records/lookup-json';
import type { DataSetOutcome, UncategorizedUse } from '../../format/report';
import { findSmells } from './find-smells';
import { PlaceComparison, readPlacePositions, type PlacePositions } from './place-comparison';
import { compareFingerprints, RecordComparison, type RecordFindings } from './record-comparison';
import { readExamples } from './record-examples';
import { compareTotals, measuresOfKind, readTotals, TotalsBuilder, type Totals } from './totals';

/** The members of a data set's outcome that a comparison gives. */
export type ComparedMembers = Pick<DataSetOutcome, 'change' | 'examples' | 'totals' | 'smells' | 'uncategorizedUses'>;

/** The members of a data set that was not compared because it stays as it was. */
export const NOT_COMPARED: ComparedMembers = {
  ...{ change: null, examples: null, totals: null },
  ...{ smells: [], uncategorizedUses: [] },
};

/** What a comparison reads of the former release: not its records, but what was stored beside them for this. */
interface FormerRelease {
  readonly reader: ReleaseReader;
  readonly fingerprints: Fingerprints;
  /** Undefined where the release was written before positions and totals were stored. */
  readonly positions: PlacePositions | undefined;
  readonly totals: Totals | undefined;
}

/** Undefined when there is no former release, or when it cannot be read: it is gone, damaged, or of another format. */
export async function openFormerRelease(store: Store, entry?: CatalogEntry): Promise<FormerRelease | undefined> {
  if (entry === undefined || (await findReleaseFault(store, entry.releaseId, 'count')) !== undefined) return undefined;
  const reader = await store.openRelease(entry.releaseId);
  if (reader === undefined) return undefined;
  const fingerprints = await reader.artifact('fingerprints');
  if (fingerprints === undefined) return undefined;
  const positions = await reader.artifact('positions');
  const totals = await reader.artifact('totals');
  return {
    reader,
    fingerprints: readFingerprints(fingerprints, measuresOfKind[reader.facts.dataSet].length),
    positions: positions && readPlacePositions(positions),
    totals: totals && readTotals(totals),
  };
}

interface ComparedDataSet {
  readonly kind: DataSetKind;
  /** Two-letter code of the organization's state. */
  readonly state: string;
  readonly categoriesOf: (use: string) => UseCategories;
}

/** The results once all records were added. */
interface Comparison {
  readonly totals: Totals;
  /** Undefined without a former release. */
  readonly records: RecordFindings | undefined;
}

export class ReleaseComparison implements ReleaseObserver {
  private readonly fingerprints: FingerprintBuilder;
  private readonly totals: TotalsBuilder;
  private readonly places: PlaceComparison;
  private records: RecordComparison | undefined;
  private readonly timeframes = { whole: 0, reversed: 0 };
  /** The release that it was last compared with, without what only the comparing itself needs. */
  private former: Pick<FormerRelease, 'reader' | 'totals'> | undefined;
  private finished: Comparison | undefined;

  /** `former` is current when the building starts; what grows with the records is collected in `folder`. */
  constructor(
    private readonly dataSet: ComparedDataSet,
    former: FormerRelease | undefined,
    folder: string,
  ) {
    const measures = measuresOfKind[dataSet.kind];
    this.fingerprints = new FingerprintBuilder(folder, measures.length);
    this.totals = new TotalsBuilder(measures);
    this.places = new PlaceComparison(dataSet.state, former?.positions);
    this.former = former && { reader: former.reader, totals: former.totals };
    this.records = former && new RecordComparison(former.fingerprints);
  }

  addPlace(id: string, box: Box): void {
    this.places.add(id, box);
  }

  addRecord({ key, variable, uses, measures, isReversed }: ObservedRecord, { json, fingerprint }: BuiltRecord): void {
    this.fingerprints.add(key, fingerprint, measures);
    this.records?.add(key, fingerprint, measures, json);
    const { VariableSpecificUUID: uuid, VariableSpecificCV: name, AmountUnitCV } = variable;
    // The measures of an allocation carry their units in their names.
    const unit = this.dataSet.kind === 'WaterAllocations' ? null : AmountUnitCV;
    this.totals.add({ uuid, name, unit }, uses, measures);
    if (isReversed === undefined) return;
    this.timeframes.whole++;
    if (isReversed) this.timeframes.reversed++;
  }

  /** Writes what the next comparison needs and frees what only this one needed. */
  finish(writer: ReleaseWriter): void {
    const totals = this.totals.build();
    writer.addLongArtifact('fingerprints', this.fingerprints.pieces());
    writer.addArtifact('totals', Buffer.from(JSON.stringify(totals)));
    writer.addLongArtifact('positions', this.places.finish());
    this.finished = { totals, records: this.records?.findings() };
    this.records = undefined;
  }

  /** Whether the release was last compared with this one; undefined stands for none. */
  isWith(releaseId: string | undefined): boolean {
    return this.former?.reader.facts.releaseId === releaseId;
  }

  /** Compares the release once more, with what another load published while it was built. */
  compareAgain(former: FormerRelease | undefined): void {
    const { totals } = this.comparison();
    this.former = former && { reader: former.reader, totals: former.totals };
    const records = former && compareFingerprints(former.fingerprints, this.fingerprints.read());
    this.finished = { totals, records };
  }

  /** `next` reads the release itself once it is finished, for examples that are not at hand after comparing again. */
  async result(next: ReleaseReader | undefined): Promise<ComparedMembers> {
    const { totals, records } = this.comparison();
    const { former, timeframes } = this;
    const { kind, state } = this.dataSet;
    const { added, removed, changed } = records ?? { added: this.fingerprints.count, removed: 0, changed: 0 };
    const examples = former && records && (await readExamples(kind, records, former.reader, next));
    const jumps = examples?.jumps ?? [];
    // The order of the members is that of the report.
    return {
      change: { added, removed, changed },
      examples: examples?.changes ?? null,
      totals: compareTotals(former?.totals, totals),
      smells: findSmells({ kind, state, places: this.places.findings(), timeframes, records, jumps }),
      uncategorizedUses: this.uncategorizedUses(),
    };
  }

  private comparison(): Comparison {
    if (this.finished === undefined) throw new Error('a comparison was asked for before all records were there');
    return this.finished;
  }

  /** Uses without a USGS category, those with the most records first. */
  private uncategorizedUses(): readonly UncategorizedUse[] {
    const found = [...this.totals.recordsOfUses()].flatMap(([use, records]) => {
      const { usgs, primaryUse } = this.dataSet.categoriesOf(use);
      return usgs === null ? [{ use, records, primaryUse }] : [];
    });
    return found.sort((a, b) => b.records - a.records || (a.use < b.use ? -1 : 1));
  }
}
