// The records that a report shows as examples of what changed: reads the few of them that are not at hand, names each
// by its identifying members, and says in which members it differs from the former release.

import { dataSetLayouts, type DataSetKind } from '../../../shared/records/data-sets';
import { listText } from '../../../shared/store/fragments';
import type { ReleaseReader } from '../../../shared/store/port';
import type { ChangeExamples, Difference, Identity } from '../../format/comparison-members';
import type { RecordExample, RecordFindings } from './record-comparison';

/** A record as parsed from its JSON text. */
export type AnyRecord = Readonly<Record<string, unknown>>;

/** A record in both releases. */
export interface RecordPair {
  readonly before: AnyRecord;
  readonly after: AnyRecord;
}

/** Longer values, such as a geometry or a list of two hundred sites, are cut in a report. */
const MAX_CHARACTERS = 200;

export class RecordExamples {
  private constructor(
    private readonly findings: RecordFindings,
    /** By number in each release. */
    private readonly formerRecords: ReadonlyMap<number, AnyRecord>,
    private readonly nextRecords: ReadonlyMap<number, AnyRecord>,
  ) {}

  /**
   * `next` reads the new release for examples whose JSON was not at hand; undefined for a dry run, which has them
   * all.
   */
  static async read(
    findings: RecordFindings,
    former: ReleaseReader,
    next: ReleaseReader | undefined,
  ): Promise<RecordExamples> {
    const { addedExamples, changedExamples, jumpedExamples, removedExamples } = findings;
    const examples = [...addedExamples, ...changedExamples, ...jumpedExamples];
    const formerNumbers = examples.flatMap(({ formerNumber }) => formerNumber ?? []);
    const unread = examples.filter(({ json }) => json === undefined).map(({ nextNumber }) => nextNumber);
    return new RecordExamples(
      findings,
      await readByNumber(former, [...formerNumbers, ...removedExamples]),
      next === undefined ? new Map() : await readByNumber(next, unread),
    );
  }

  /** The examples of added, removed and changed records, as the report shows them. */
  ofChanges(kind: DataSetKind): ChangeExamples {
    const { addedExamples, removedExamples, changedExamples } = this.findings;
    const added = addedExamples.map((example) => this.nextRecord(example));
    const removed = removedExamples.map((number) => this.formerRecords.get(number));
    return {
      added: added.filter((record) => record !== undefined).map((record) => identityOf(kind, record)),
      removed: removed.filter((record) => record !== undefined).map((record) => identityOf(kind, record)),
      changed: this.pairs(changedExamples).map(({ before, after }) => ({
        identity: identityOf(kind, after),
        members: differencesOf(before, after),
      })),
    };
  }

  /** The records whose amounts jumped. */
  ofJumps(): readonly RecordPair[] {
    return this.pairs(this.findings.jumpedExamples);
  }

  private pairs(examples: readonly RecordExample[]): readonly RecordPair[] {
    return examples.flatMap((example) => {
      const before = example.formerNumber === undefined ? undefined : this.formerRecords.get(example.formerNumber);
      const after = this.nextRecord(example);
      return before === undefined || after === undefined ? [] : [{ before, after }];
    });
  }

  private nextRecord({ json, nextNumber }: RecordExample): AnyRecord | undefined {
    if (json === undefined) return this.nextRecords.get(nextNumber);
    return JSON.parse(json) as AnyRecord; // The text of a record is a JSON object.
  }
}

async function readByNumber(
  reader: ReleaseReader,
  numbers: readonly number[],
): Promise<ReadonlyMap<number, AnyRecord>> {
  const ascending = [...new Set(numbers)].sort((a, b) => a - b);
  const found = await reader.records(Uint32Array.from(ascending));
  const records = JSON.parse(listText(found)) as readonly AnyRecord[]; // The records of a release are JSON objects.
  return new Map(
    ascending.flatMap((number, index) => {
      const record = records[index];
      return record === undefined ? [] : [[number, record]];
    }),
  );
}

/** The members that identify a record, without those that are missing. */
export function identityOf(kind: DataSetKind, record: AnyRecord): Identity {
  const members = dataSetLayouts[kind].keyMembers.map((name): [string, string] => [name, identityText(record[name])]);
  return Object.fromEntries(members.filter(([, text]) => text !== ''));
}

export function differencesOf(before: AnyRecord, after: AnyRecord): readonly Difference[] {
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
  return cut(typeof value === 'string' ? value : JSON.stringify(value));
}

function reportValue(value: unknown): string | number | boolean | null {
  if (value === undefined || value === null) return null;
  if (typeof value === 'number' || typeof value === 'boolean') return value;
  return cut(typeof value === 'string' ? value : JSON.stringify(value));
}

function cut(text: string): string {
  return text.length > MAX_CHARACTERS ? `${text.slice(0, MAX_CHARACTERS)}…` : text;
}
