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

/** A record in both releases: its number in the previous one, and its new JSON. */
interface ChangedRecord {
  readonly previousNumber: number;
  readonly json: string;
}

interface CountedList<Example> {
  readonly count: number;
  readonly examples: readonly Example[];
}

export type ChangedExample = ChangeExamples['changed'][number];

/** The number of records that differ, and the first few of each kind. */
export interface RecordChanges {
  readonly previousRecords: number;
  readonly added: number;
  readonly removed: number;
  readonly changed: number;
  readonly examples: ChangeExamples;
  /** Records that are gone and that no row deleted. */
  readonly gone: CountedList<Identity>;
  /** Records with a measure that moved by WARNING_LIMITS.jumpFactor or more. */
  readonly jumped: CountedList<ChangedExample>;
  /** Records with another measure than before. */
  readonly changedAmounts: CountedList<ChangedExample>;
  /** Rights with another priority date than before. */
  readonly changedPriorities: CountedList<ChangedExample>;
  readonly links: PlaceLinkChanges;
}

/** The links from records that stay to their places. */
interface PlaceLinkChanges {
  /** Links of the previous release that are gone. */
  readonly count: number;
  /** Links of the previous release. */
  readonly of: number;
  readonly examples: Hold['examples'];
  /** Links of the records that are gone or deleted; undefined if the previous release was stored without links. */
  readonly ofGoneRecords: number | undefined;
}

/** Kinds of changed records: all, with a jump, with another measure, with another priority date. */
const CHANGE_KINDS = ['changed', 'jumped', 'changedAmounts', 'changedPriorities'] as const;

/** The fate of a record of the previous release. */
const GONE = 0;
const PRESENT = 1;
const DELETED = 2;

export class RecordComparison {
  private readonly table: KeyTable;
  /** By number in the previous release: GONE, PRESENT or DELETED. */
  private readonly fates: Uint8Array;
  private same = 0;
  private deleted = 0;
  /** Links to places of the records that stay: those of the previous release, and those of them that are gone. */
  private readonly links = { previous: 0, gone: 0, examples: new CountedExamples<Hold['examples'][number]>() };
  /** Their JSON. */
  private readonly added = new CountedExamples<string>();
  private readonly changesByKind = buildByName(CHANGE_KINDS, () => new CountedExamples<ChangedRecord>());

  private readonly previous: Fingerprints;
  /** The priority dates of a previous release of rights. */
  private readonly priorities: PeriodColumn | undefined;
  /** By number in the previous release; empty if it was stored without them. */
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

  /** Call after all records were added. The previous release provides the old values of the examples. */
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

/** The priority day of a previous right; undefined without one (code 0). */
function getPriorityDay({ codes, periods }: PeriodColumn, previousNumber: number): number | undefined {
  const code = codes[previousNumber] ?? 0;
  return code === 0 ? undefined : periods[2 * code];
}

/**
 * Whether a measure changed by a factor that gives a warning. There is no factor from or to zero, or if either value is
 * missing.
 */
export function isJump(before: number | null | undefined, after: number | null | undefined): boolean {
  const factor = Math.abs((after ?? NaN) / (before ?? NaN));
  if (!Number.isFinite(factor) || factor === 0) return false;
  return Math.max(factor, 1 / factor) >= WARNING_LIMITS.jumpFactor * (1 - ROUNDING);
}

/** Whether a measure changed. Measures are compared as stored; `before` is undefined if none was stored then. */
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
  const records = JSON.parse(toListText(found)) as readonly ParsedRecord[]; // The records of a release are JSON objects.
  if (records.length !== ascending.length) throw new Error('the former release lacks records that it counts');
  return new Map(ascending.map((number, index) => [number, records[index] ?? {}]));
}
