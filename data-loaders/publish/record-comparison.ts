// Finds which records of a release are new, gone or different from the former one, by their fingerprints, while the
// release is built (ADR 0066), and names the first of each with its identifying members and with what differs.

import { type DataSetKind, dataSetLayouts } from '../../shared/records/data-sets';
import type { PeriodColumn } from '../../shared/search/index/column-format';
import { type Fingerprints, KeyTable } from '../../shared/search/release-changes';
import { listText, type ReleaseReader } from '../../shared/store/port';
import { byName } from '../../shared/values/maps';
import type { ObservedRecord } from '../build/build-release';
import {
  type ChangeExamples,
  CountedExamples,
  type Difference,
  type Identity,
  MAX_EXAMPLES_SHOWN,
} from '../format/report';
import { WARNING_LIMITS } from '../format/rules';

/** Measures are compared as rounded to 32 bits, so a factor of exactly 100 may look a little smaller. */
const ROUNDING = 1e-5;

/** Longer values, such as a geometry or a list of two hundred sites, are cut in a report. */
const MAX_CHARACTERS = 200;

/** A record that both releases have: its number in the former one, and its new JSON. */
interface ChangedRecord {
  readonly formerNumber: number;
  readonly json: string;
}

interface Found<Example> {
  readonly count: number;
  readonly examples: readonly Example[];
}

export type ChangedExample = ChangeExamples['changed'][number];

/** How many records differ, and the first few of each sort. */
export interface RecordChanges {
  readonly formerRecords: number;
  readonly added: number;
  readonly removed: number;
  readonly changed: number;
  readonly examples: ChangeExamples;
  /** Records that are gone and that no row deletes. */
  readonly gone: Found<Identity>;
  /** Records with a measure that moved by WARNING_LIMITS.jumpFactor or more. */
  readonly jumped: Found<ChangedExample>;
  /** Records with another measure than before. */
  readonly otherAmounts: Found<ChangedExample>;
  /** Rights with another priority date than before. */
  readonly otherPriorities: Found<ChangedExample>;
}

/** Sorts of records that differ: all, and those with a jump, another measure, another priority date. */
const SORTS = ['changed', 'jumped', 'otherAmounts', 'otherPriorities'] as const;

/** Whether a record of the former release is in the next one. */
const GONE = 0;
const FOUND = 1;
const DELETED = 2;

export class RecordComparison {
  private readonly table: KeyTable;
  /** By number in the former release: GONE, FOUND or DELETED. */
  private readonly fates: Uint8Array;
  private same = 0;
  private deleted = 0;
  /** Their JSON. */
  private readonly added = new CountedExamples<string>();
  private readonly sorts = byName(SORTS, () => new CountedExamples<ChangedRecord>());

  /** `priorities` are the days of priority of a former release of rights. */
  constructor(
    private readonly former: Fingerprints,
    private readonly priorities: PeriodColumn | undefined,
  ) {
    this.table = KeyTable.from(former.keys);
    this.fates = new Uint8Array(former.keys.length);
  }

  add({ key, fingerprint, measures, json, period }: ObservedRecord): void {
    const text = (): string => Buffer.from(json).toString();
    const formerNumber = this.table.indexOf(key);
    if (formerNumber === undefined) {
      this.added.add(text);
      return;
    }
    this.fates[formerNumber] = FOUND;
    if (this.former.contents[formerNumber] === fingerprint) {
      this.same++;
      return;
    }
    const changed = (): ChangedRecord => ({ formerNumber, json: text() });
    this.sorts.changed.add(changed);
    const isMeasure = (is: typeof isJump): boolean =>
      measures.some((measure, index) => is(this.former.measures[index]?.[formerNumber], measure));
    if (isMeasure(isJump)) this.sorts.jumped.add(changed);
    if (isMeasure(isOther)) this.sorts.otherAmounts.add(changed);
    if (this.priorities !== undefined && period?.first !== priorityOf(this.priorities, formerNumber)) {
      this.sorts.otherPriorities.add(changed);
    }
  }

  addDeletion(key: number): void {
    const formerNumber = this.table.indexOf(key);
    if (formerNumber === undefined || this.fates[formerNumber] !== GONE) return;
    this.fates[formerNumber] = DELETED;
    this.deleted++;
  }

  /** Once all records were added. The former release gives the old values of the examples. */
  async changes(kind: DataSetKind, reader: ReleaseReader): Promise<RecordChanges> {
    const { added, sorts } = this;
    const formerRecords = this.former.keys.length;
    const removed = formerRecords - this.same - sorts.changed.count;
    const gone = this.firstWith(GONE);
    const firstRemoved = [...gone, ...this.firstWith(DELETED)].sort((a, b) => a - b).slice(0, MAX_EXAMPLES_SHOWN);
    const numbers = SORTS.flatMap((sort) => sorts[sort].examples.map(({ formerNumber }) => formerNumber));
    const formerOnes = await readRecords(reader, [...numbers, ...firstRemoved, ...gone]);
    const identityOfFormer = (number: number): Identity => identityOf(kind, formerOnes.get(number) ?? {});
    const describe = ({ formerNumber, json }: ChangedRecord): ChangedExample => {
      const after = recordOf(json);
      return { identity: identityOf(kind, after), members: differencesOf(formerOnes.get(formerNumber) ?? {}, after) };
    };
    const { changed, ...found } = byName(SORTS, (sort): Found<ChangedExample> => {
      const { count, examples } = sorts[sort];
      return { count, examples: examples.map(describe) };
    });
    return {
      formerRecords,
      added: added.count,
      removed,
      changed: changed.count,
      ...found,
      examples: {
        added: added.examples.map((json) => identityOf(kind, recordOf(json))),
        removed: firstRemoved.map(identityOfFormer),
        changed: changed.examples,
      },
      gone: { count: removed - this.deleted, examples: gone.map(identityOfFormer) },
    };
  }

  private firstWith(fate: number): readonly number[] {
    const numbers: number[] = [];
    let number = this.fates.indexOf(fate);
    while (number !== -1 && numbers.length < MAX_EXAMPLES_SHOWN) {
      numbers.push(number);
      number = this.fates.indexOf(fate, number + 1);
    }
    return numbers;
  }
}

/** Undefined for a right without one, whose code is that of no period. */
function priorityOf({ codes, periods }: PeriodColumn, formerNumber: number): number | undefined {
  const code = codes[formerNumber] ?? 0;
  return code === 0 ? undefined : periods[2 * code];
}

/** Whether a measure moved by a factor to warn of; from or to zero, or without one of the two, there is no factor. */
export function isJump(before: number | null | undefined, after: number | null | undefined): boolean {
  const factor = Math.abs((after ?? NaN) / (before ?? NaN));
  if (!Number.isFinite(factor) || factor === 0) return false;
  return Math.max(factor, 1 / factor) >= WARNING_LIMITS.jumpFactor * (1 - ROUNDING);
}

/** Whether a measure is another one than before; it is compared as it is stored, undefined if none was stored then. */
function isOther(before: number | null | undefined, after: number | null | undefined): boolean {
  if (before === undefined) return false;
  const former = before ?? NaN;
  const next = Math.fround(after ?? NaN);
  return former !== next && !(Number.isNaN(former) && Number.isNaN(next));
}

/** A record as parsed from its JSON text. */
type AnyRecord = Readonly<Record<string, unknown>>;

export function recordOf(json: string | Uint8Array): AnyRecord {
  return JSON.parse(Buffer.from(json).toString()) as AnyRecord; // A record of a release is a JSON object.
}

async function readRecords(reader: ReleaseReader, numbers: readonly number[]): Promise<ReadonlyMap<number, AnyRecord>> {
  const ascending = [...new Set(numbers)].sort((a, b) => a - b);
  const found = await reader.texts('records', Uint32Array.from(ascending));
  const records = JSON.parse(listText(found)) as readonly AnyRecord[]; // The records of a release are JSON objects.
  if (records.length !== ascending.length) throw new Error('the former release lacks records that it counts');
  return new Map(ascending.map((number, index) => [number, records[index] ?? {}]));
}

/** The members that identify a record, without those that are missing. */
export function identityOf(kind: DataSetKind, record: AnyRecord): Identity {
  const members = dataSetLayouts[kind].keyMembers.map((name): [string, string] => [name, identityText(record[name])]);
  return Object.fromEntries(members.filter(([, text]) => text !== ''));
}

function differencesOf(before: AnyRecord, after: AnyRecord): readonly Difference[] {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  return names
    .filter((name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]))
    .map((member) => ({ member, before: reportValue(before[member]), after: reportValue(after[member]) }));
}

/** The uses of an amount are objects of one member (D26), of which only the values are shown. */
function identityText(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (Array.isArray(value)) return value.map(identityText).join(', ');
  if (typeof value === 'object') return Object.values(value).map(identityText).join(' ');
  return cutText(value);
}

function reportValue(value: unknown): string | number | boolean | null {
  if (value === undefined || value === null) return null;
  return typeof value === 'number' || typeof value === 'boolean' ? value : cutText(value);
}

function cutText(value: unknown): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return text.length > MAX_CHARACTERS ? `${text.slice(0, MAX_CHARACTERS)}…` : text;
}
