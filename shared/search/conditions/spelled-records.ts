// Which of some records have a text as it is spelled, where the index knows it folded alone: the identifiers and the
// owner of rights. The records found by the folded text are read, some megabytes at once, and never any others.

import { dataSetLayouts } from '../../records/data-sets';
import { currentDeadline } from '../../store/deadline';
import type { ReleaseReader } from '../../store/port';
import { MemberCutter } from '../../values/json-members';
import { ListedRecords, type RecordSet } from '../index/record-set';

/** So many records have some megabytes. */
const RECORDS_AT_ONCE = 4096;

/** Those of the candidates whose member is one of the texts. Throws DeadlinePassedError. */
export async function recordsSpelled(
  candidates: RecordSet,
  member: string,
  texts: readonly string[],
  reader: ReleaseReader,
): Promise<RecordSet> {
  const wanted = new Set(texts);
  const cutter = new MemberCutter(Object.keys(dataSetLayouts[reader.facts.dataSet].recordMembers), [member]);
  const deadline = currentDeadline();
  const found: number[] = [];
  for (let from = 0; from < candidates.size; from += RECORDS_AT_ONCE) {
    deadline.check();
    if (deadline.isSliceOver()) await deadline.giveWay();
    const numbers = candidates.slice(from, from + RECORDS_AT_ONCE);
    const records = await reader.records(numbers);
    const bytes = Buffer.allocUnsafe(records.byteLength);
    records.copyTo(bytes, 0);
    let at = 0;
    for (const number of numbers) {
      at = cutter.locate(bytes, at) + 1;
      const [start, end] = cutter.positions;
      if (wanted.has(JSON.parse(bytes.toString('utf8', start, end)) as string)) found.push(number);
    }
  }
  return new ListedRecords(Uint32Array.from(found));
}
