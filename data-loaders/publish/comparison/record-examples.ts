// The records that a report shows as examples of what changed: reads the few of them that are not at hand, names each
// by its identifying members, and says in which members it differs from the former release.

import { dataSetLayouts, type DataSetKind } from '../../../shared/records/data-sets';
import { listText } from '../../../shared/store/fragments';
import type { ReleaseReader } from '../../../shared/store/port';
import type { ChangeExamples, Difference, Identity } from '../../format/report';
import type { RecordExample, RecordFindings } from './record-comparison';

/** A record as parsed from its JSON text. */
type AnyRecord = Readonly<Record<string, unknown>>;

/** A record in both releases. */
export interface RecordPair {
  readonly before: AnyRecord;
  readonly after: AnyRecord;
}

/** Longer values, such as a geometry or a list of two hundred sites, are cut in a report. */
const MAX_CHARACTERS = 200;

/** Reads the examples that are not at hand. `next` is undefined for a dry run, which has all of the new release. */
export async function readExamples(
  kind: DataSetKind,
  { addedExamples, changedExamples, jumpedExamples, removedExamples }: RecordFindings,
  former: ReleaseReader,
  next: ReleaseReader | undefined,
): Promise<{ readonly changes: ChangeExamples; readonly jumps: readonly RecordPair[] }> {
  const examples = [...addedExamples, ...changedExamples, ...jumpedExamples];
  const formerNumbers = examples.flatMap(({ formerNumber }) => formerNumber ?? []);
  const unread = examples.filter(({ json }) => json === undefined).map(({ nextNumber }) => nextNumber);
  const formerRecords = await readByNumber(former, [...formerNumbers, ...removedExamples]);
  const nextRecords = next && (await readByNumber(next, unread));
  const nextOf = ({ json, nextNumber }: RecordExample): AnyRecord | undefined =>
    json === undefined ? nextRecords?.get(nextNumber) : (JSON.parse(json) as AnyRecord); // A record is a JSON object.
  const pairOf = (example: RecordExample): readonly RecordPair[] => {
    const before = example.formerNumber === undefined ? undefined : formerRecords.get(example.formerNumber);
    const after = nextOf(example);
    return before === undefined || after === undefined ? [] : [{ before, after }];
  };
  const identitiesOf = (records: readonly (AnyRecord | undefined)[]): readonly Identity[] =>
    records.filter((record) => record !== undefined).map((record) => identityOf(kind, record));
  return {
    changes: {
      added: identitiesOf(addedExamples.map(nextOf)),
      removed: identitiesOf(removedExamples.map((number) => formerRecords.get(number))),
      changed: changedExamples.flatMap(pairOf).map(({ before, after }) => ({
        identity: identityOf(kind, after),
        members: differencesOf(before, after),
      })),
    },
    jumps: jumpedExamples.flatMap(pairOf),
  };
}

async function readByNumber(reader: ReleaseReader, numbers: readonly number[]): Promise<Map<number, AnyRecord>> {
  const ascending = [...new Set(numbers)].sort((a, b) => a - b);
  const found = await reader.records(Uint32Array.from(ascending));
  const records = JSON.parse(listText(found)) as readonly AnyRecord[]; // The records of a release are JSON objects.
  return new Map(
    records.flatMap((record, index) => (ascending[index] === undefined ? [] : [[ascending[index], record]])),
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
