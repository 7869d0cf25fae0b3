// What is said of a row whose key another row has, or no row: the cells that make the key, as they stand in the file.

import { parse } from 'csv-parse/sync';
import type { AmountDefinition } from '../format/amount-definitions';
import type { RowFinding } from '../format/findings';
import type { KeyOutcome } from '../stage/resolve-keys';

export function keyFinding(
  outcome: Exclude<KeyOutcome, { kind: 'record' }>,
  { file, keyColumns }: Pick<AmountDefinition, 'file' | 'keyColumns'>,
): RowFinding {
  const { source } = outcome.amount;
  const [cells = []] = parse(source); // Kept rows have the declared columns, in their order.
  const names = Object.keys(file.columns);
  const key = keyColumns.map((column) => cells[names.indexOf(column)]?.trim() ?? '');
  const value = key.filter((cell) => cell !== '').join(', ');
  if (outcome.kind === 'nothing-to-delete') return { rule: 'nothing-to-delete', column: null, value };
  const { line, source: first } = outcome.first;
  const isCopy = first === source;
  return { rule: 'duplicate-amount', column: null, value: `${isCopy ? 'a copy of' : 'as'} line ${line}: ${value}` };
}
