// Finds which records of a release are new, gone or different from the former one, by their fingerprints, while the
// release is built (ADR 0066), and names the first of each with its identifying members and with what differs.

import { dataSetLayouts, type DataSetKind } from '../../shared/records/data-sets';
import { KeyTable, type Fingerprints } from '../../shared/search/release-changes';
import { listText } from '../../shared/store/fragments';
import type { ReleaseReader } from '../../shared/store/port';
import { MAX_EXAMPLES_SHOWN, type ChangeExamples, type Difference, type Identity } from '../format/report';
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

/** How many records differ, and the first few of each sort. */
export interface RecordChanges {
  readonly formerRecords: number;
  readonly added: number;
  readonly removed: number;
  readonly changed: number;
  /** Records with a measure that moved by WARNING_LIMITS.jumpFactor or more. */
  readonly jumped: number;
  /** Their JSON. */
  readonly addedExamples: readonly string[];
  readonly changedExamples: readonly ChangedRecord[];
  readonly jumpedExamples: readonly ChangedRecord[];
  /** Their numbers in the former release. */
  readonly removedExamples: readonly number[];
}

export class RecordComparison {
  private readonly table: KeyTable;
  /** By number in the former release: 1 when the next release has a record of the same key. */
  private readonly isFound: Uint8Array;
  private same = 0;
  private added = 0;
  private changed = 0;
  private jumped = 0;
  private readonly addedExamples: string[] = [];
  private readonly changedExamples: ChangedRecord[] = [];
  private readonly jumpedExamples: ChangedRecord[] = [];

  constructor(private readonly former: Fingerprints) {
    this.table = KeyTable.withAll(former.keys);
    this.isFound = new Uint8Array(former.keys.length);
  }

  /** `json` is in UTF-8. */
  add(key: number, content: number, measures: readonly (number | null)[], json: Uint8Array): void {
    const formerNumber = this.table.indexOf(key);
    if (formerNumber === undefined) {
      this.added++;
      if (this.addedExamples.length < MAX_EXAMPLES_SHOWN) this.addedExamples.push(Buffer.from(json).toString());
      return;
    }
    this.isFound[formerNumber] = 1;
    if (this.former.contents[formerNumber] === content) {
      this.same++;
      return;
    }
    this.changed++;
    addExample(this.changedExamples, formerNumber, json);
    if (!measures.some((measure, index) => isJump(this.former.measures[index]?.[formerNumber], measure))) return;
    this.jumped++;
    addExample(this.jumpedExamples, formerNumber, json);
  }

  changes(): RecordChanges {
    const { added, changed, jumped, addedExamples, changedExamples, jumpedExamples } = this;
    const formerRecords = this.former.keys.length;
    const removed = formerRecords - this.same - changed;
    return {
      ...{ formerRecords, added, removed, changed, jumped },
      ...{ addedExamples, changedExamples, jumpedExamples, removedExamples: this.firstNotFound() },
    };
  }

  private firstNotFound(): readonly number[] {
    const numbers: number[] = [];
    let number = this.isFound.indexOf(0);
    while (number !== -1 && numbers.length < MAX_EXAMPLES_SHOWN) {
      numbers.push(number);
      number = this.isFound.indexOf(0, number + 1);
    }
    return numbers;
  }
}

function addExample(examples: ChangedRecord[], formerNumber: number, json: Uint8Array): void {
  if (examples.length < MAX_EXAMPLES_SHOWN) examples.push({ formerNumber, json: Buffer.from(json).toString() });
}

/** Whether a measure moved by a factor to warn of; from or to zero, or without one of the two, there is no factor. */
export function isJump(before: number | null | undefined, after: number | null | undefined): boolean {
  const factor = Math.abs((after ?? NaN) / (before ?? NaN));
  if (!Number.isFinite(factor) || factor === 0) return false;
  return Math.max(factor, 1 / factor) >= WARNING_LIMITS.jumpFactor * (1 - ROUNDING);
}

/** A record as parsed from its JSON text. */
type AnyRecord = Readonly<Record<string, unknown>>;

type ChangedExample = ChangeExamples['changed'][number];

/** The examples of changes, and of records with a measure that jumped; the former release gives the old values. */
export async function readExamples(
  kind: DataSetKind,
  { addedExamples, removedExamples, changedExamples, jumpedExamples }: RecordChanges,
  former: ReleaseReader,
): Promise<{ readonly changes: ChangeExamples; readonly jumps: readonly ChangedExample[] }> {
  const numbers = [...changedExamples, ...jumpedExamples].map(({ formerNumber }) => formerNumber);
  const formerRecords = await readRecords(former, [...numbers, ...removedExamples]);
  const describeChange = ({ formerNumber, json }: ChangedRecord): ChangedExample => {
    const after = recordOf(json);
    const members = differencesOf(formerRecords.get(formerNumber) ?? {}, after);
    return { identity: identityOf(kind, after), members };
  };
  return {
    changes: {
      added: addedExamples.map((json) => identityOf(kind, recordOf(json))),
      removed: removedExamples.map((number) => identityOf(kind, formerRecords.get(number) ?? {})),
      changed: changedExamples.map(describeChange),
    },
    jumps: jumpedExamples.map(describeChange),
  };
}

export function recordOf(json: string | Uint8Array): AnyRecord {
  return JSON.parse(Buffer.from(json).toString()) as AnyRecord; // A record of a release is a JSON object.
}

async function readRecords(reader: ReleaseReader, numbers: readonly number[]): Promise<ReadonlyMap<number, AnyRecord>> {
  const ascending = [...new Set(numbers)].sort((a, b) => a - b);
  const found = await reader.records(Uint32Array.from(ascending));
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
