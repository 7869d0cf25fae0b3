// Finds the records that were added, removed or changed since the previous release, by their fingerprints, while the
// release is built (ADR 0066).

import { type DataSetKind } from '../../shared/records/data-sets';
import { type Fingerprints, KeyTable } from '../../shared/search/fingerprints';
import type { PeriodColumn } from '../../shared/search/index/period-column';
import { toListText } from '../../shared/store/joined-fragments';
import { type ReleaseReader } from '../../shared/store/port';
import { buildByName } from '../../shared/values/maps';
import type { ObservedRecord } from '../build/release-observer';
import { CountedExamples } from '../format/counted-examples';
import { WARNING_LIMITS } from '../format/quality-warnings';
import { type ChangeExamples, type Hold, type Identity, MAX_EXAMPLES_SHOWN } from '../format/report';
import type { PreviousRelease } from './previous-release';
import { findDifferences, identifyRecord, type ParsedRecord, parseRecord } from './record-differences';

/** Measures are compared as 32-bit numbers, so a factor of exactly 100 may look slightly smaller. */
const ROUNDING = 1e-5;

/** A record in both releases: its number in the previous release, and its new JSON. */
interface ChangedRecord {
  readonly previousNumber: number;
  readonly json: string;
}

interface CountedList<Example> {
  readonly count: number;
  readonly examples: readonly Example[];
}

export type ChangedExample = ChangeExamples['changed'][number];

/** The number of records that differ, and the first few of each kind of difference. */
export interface RecordChanges {
  readonly previousRecords: number;
  readonly added: number;
  readonly removed: number;
  readonly changed: number;
  readonly examples: ChangeExamples;
  /** Records that are gone although no row deleted them. */
  readonly gone: CountedList<Identity>;
  /** Records with a measure that changed by a factor of WARNING_LIMITS.jumpFactor or more. */
  readonly jumped: CountedList<ChangedExample>;
  /** Records with a changed measure. */
  readonly changedAmounts: CountedList<ChangedExample>;
  /** Rights with a changed priority date. */
  readonly changedPriorities: CountedList<ChangedExample>;
  readonly links: PlaceLinkChanges;
}

/** Changes in the place links of remaining records. */
interface PlaceLinkChanges {
  /** The number of links of the previous release that are gone. */
  readonly count: number;
  /** The number of links of the previous release. */
  readonly of: number;
  readonly examples: Hold['examples'];
  /** The number of links of records that are gone or deleted; undefined if the previous release has no link counts. */
  readonly ofGoneRecords: number | undefined;
}

/** The kinds of changes to records: any, a jump, another changed measure, a changed priority date. */
const CHANGE_KINDS = ['changed', 'jumped', 'changedAmounts', 'changedPriorities'] as const;

/** What became of a record of the previous release. */
const GONE = 0;
const PRESENT = 1;
const DELETED = 2;

export class RecordComparison {
  private readonly table: KeyTable;
  /** Keyed by number in the previous release: GONE, PRESENT or DELETED. */
  private readonly fates: Uint8Array;
  private same = 0;
  private deleted = 0;
  /**
   * The place links of remaining records: how many there were in the previous release, and how many of these are gone.
   */
  private readonly links = { previous: 0, gone: 0, examples: new CountedExamples<Hold['examples'][number]>() };
  /** The first added records, as JSON. */
  private readonly added = new CountedExamples<string>();
  private readonly changesByKind = buildByName(CHANGE_KINDS, () => new CountedExamples<ChangedRecord>());

  private readonly previous: Fingerprints;
  /** The priority dates of the previous release, if it contains rights. */
  private readonly priorities: PeriodColumn | undefined;
  /** Keyed by number in the previous release; empty if the release has no link counts. */
  private readonly placeCounts: Uint32Array;

  constructor(
    private readonly kind: DataSetKind,
    previous: Pick<PreviousRelease, 'fingerprints' | 'priorities' | 'placeCounts'>,
  ) {
    this.previous = previous.fingerprints;
    this.priorities = previous.priorities;
    this.placeCounts = previous.placeCounts;
    this.table = KeyTable.from(this.previous.keys);
    this.fates = new Uint8Array(this.previous.keys.length);
  }

  add({ key, fingerprint, measures, json, period, places }: ObservedRecord): void {
    const text = (): string => Buffer.from(json).toString();
    const previousNumber = this.table.indexOf(key);
    if (previousNumber === undefined) {
      this.added.add(text);
      return;
    }
    this.fates[previousNumber] = PRESENT;
    const previousPlaces = this.placeCounts[previousNumber] ?? 0;
    this.links.previous += previousPlaces;
    if (this.previous.contents[previousNumber] === fingerprint) {
      this.same++;
      return;
    }
    const changed = (): ChangedRecord => ({ previousNumber, json: text() });
    this.changesByKind.changed.add(changed);
    if (places.length < previousPlaces) {
      this.links.gone += previousPlaces - places.length;
      this.links.examples.add(() => {
        const identity = identifyRecord(this.kind, parseRecord(json));
        return { identity, member: 'Sites', before: previousPlaces, after: places.length };
      });
    }
    const someMeasure = (test: typeof isJump): boolean =>
      measures.some((measure, index) => test(this.previous.measures[index]?.[previousNumber], measure));
    if (someMeasure(isJump)) this.changesByKind.jumped.add(changed);
    if (someMeasure(isDifferent)) this.changesByKind.changedAmounts.add(changed);
    if (this.priorities !== undefined && period?.first !== getPriorityDay(this.priorities, previousNumber)) {
      this.changesByKind.changedPriorities.add(changed);
    }
  }

  addDeletion(key: number): void {
    const previousNumber = this.table.indexOf(key);
    if (previousNumber === undefined || this.fates[previousNumber] !== GONE) return;
    this.fates[previousNumber] = DELETED;
    this.deleted++;
  }

  /**
   * Must be called after all records were added. `reader` reads the old values of the examples from the previous
   * release.
   */
  async changes(reader: ReleaseReader): Promise<RecordChanges> {
    const { kind, added, changesByKind } = this;
    const previousCount = this.previous.keys.length;
    const removed = previousCount - this.same - changesByKind.changed.count;
    const gone = this.findFirst(GONE);
    const firstRemoved = [...gone, ...this.findFirst(DELETED)].sort((a, b) => a - b).slice(0, MAX_EXAMPLES_SHOWN);
    const numbers = CHANGE_KINDS.flatMap((change) =>
      changesByKind[change].examples.map(({ previousNumber }) => previousNumber),
    );
    const previousByNumber = await readRecords(reader, [...numbers, ...firstRemoved, ...gone]);
    const identifyPrevious = (number: number): Identity => identifyRecord(kind, previousByNumber.get(number) ?? {});
    const describe = ({ previousNumber, json }: ChangedRecord): ChangedExample => {
      const after = parseRecord(json);
      return {
        identity: identifyRecord(kind, after),
        members: findDifferences(previousByNumber.get(previousNumber) ?? {}, after),
      };
    };
    const { changed, ...others } = buildByName(CHANGE_KINDS, (change): CountedList<ChangedExample> => {
      const { count, examples } = changesByKind[change];
      return { count, examples: examples.map(describe) };
    });
    return {
      previousRecords: previousCount,
      added: added.count,
      removed,
      changed: changed.count,
      ...others,
      links: {
        count: this.links.gone,
        of: this.links.previous,
        examples: this.links.examples.examples,
        ofGoneRecords: this.countLinksOfGoneRecords(),
      },
      examples: {
        added: added.examples.map((json) => identifyRecord(kind, parseRecord(json))),
        removed: firstRemoved.map(identifyPrevious),
        changed: changed.examples,
      },
      gone: { count: removed - this.deleted, examples: gone.map(identifyPrevious) },
    };
  }

  private countLinksOfGoneRecords(): number | undefined {
    if (this.placeCounts.length < this.previous.keys.length) return undefined;
    return this.placeCounts.reduce((sum, count, number) => (this.fates[number] === PRESENT ? sum : sum + count), 0);
  }

  private findFirst(fate: number): readonly number[] {
    const numbers: number[] = [];
    let number = this.fates.indexOf(fate);
    while (number !== -1 && numbers.length < MAX_EXAMPLES_SHOWN) {
      numbers.push(number);
      number = this.fates.indexOf(fate, number + 1);
    }
    return numbers;
  }
}

/** The priority day of a right in the previous release; undefined without one (code 0). */
function getPriorityDay({ codes, periods }: PeriodColumn, previousNumber: number): number | undefined {
  const code = codes[previousNumber] ?? 0;
  return code === 0 ? undefined : periods[2 * code];
}

/**
 * Whether a measure changed by a factor that causes a warning. Changes from or to zero or a missing value have no
 * factor.
 */
export function isJump(before: number | null | undefined, after: number | null | undefined): boolean {
  const factor = Math.abs((after ?? NaN) / (before ?? NaN));
  if (!Number.isFinite(factor) || factor === 0) return false;
  return Math.max(factor, 1 / factor) >= WARNING_LIMITS.jumpFactor * (1 - ROUNDING);
}

/**
 * Whether a measure changed. Measures are compared as stored; `before` is undefined if the previous release stored
 * none.
 */
function isDifferent(before: number | null | undefined, after: number | null | undefined): boolean {
  if (before === undefined) return false;
  const previous = before ?? NaN;
  const next = Math.fround(after ?? NaN);
  return previous !== next && !(Number.isNaN(previous) && Number.isNaN(next));
}

async function readRecords(
  reader: ReleaseReader,
  numbers: readonly number[],
): Promise<ReadonlyMap<number, ParsedRecord>> {
  const ascending = [...new Set(numbers)].sort((a, b) => a - b);
  const found = await reader.texts('records', Uint32Array.from(ascending));
  // The records of a release are JSON objects.
  const records = JSON.parse(toListText(found)) as readonly ParsedRecord[];
  if (records.length !== ascending.length) throw new Error('the previous release lacks records that it counts');
  return new Map(ascending.map((number, index) => [number, records[index] ?? {}]));
}
