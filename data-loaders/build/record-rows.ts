// Selects the staged rows that become records, and rejects the others.

import { type AmountDefinition } from '../format/amount-definitions';
import type { RowFinding } from '../format/findings';
import { splitCells } from '../read/csv-cells';
import { type KeyOutcome, resolveKeys } from '../stage/staged-amounts';
import { keyFingerprint } from './fingerprints';
import { type BuildInput } from './release-parts';

/** Yields the rows that become records, in canonical order. Rejects the others. */
export function* readRecordRows({
  staged: { definition, findings },
  staging,
  progress,
  observer,
}: BuildInput): Iterable<Extract<KeyOutcome, { kind: 'record' }>> {
  for (const outcome of resolveKeys(staging.readAmounts(definition.kind))) {
    progress.step();
    const { amount } = outcome;
    if (outcome.kind === 'record') yield outcome;
    else if (outcome.kind === 'deleted') observer.addDeletion(keyFingerprint(amount.key));
    else findings?.rejectAccepted(amount.line, buildKeyFinding(outcome, definition), amount.warnings);
  }
}

/**
 * The finding about a row that does not become a record: another row has the same key or, for a deletion, no row has
 * this key. Its value shows the cells of the key as in the file.
 */
function buildKeyFinding(
  outcome: Exclude<KeyOutcome, { kind: 'record' | 'deleted' }>,
  { file, keyColumns }: AmountDefinition,
): RowFinding {
  const { source, line: ownLine } = outcome.amount;
  const cells = splitCells(source.toString());
  const names = Object.keys(file.columns);
  const key = keyColumns.map((column) => cells[names.indexOf(column)]?.trim());
  if (key.includes(undefined)) throw new Error(`the source of line ${ownLine} does not have the columns of its file`);
  const value = key.filter((cell) => cell !== '').join(', ');
  if (outcome.kind === 'nothing-to-delete') return { rule: 'nothing-to-delete', column: null, value };
  const { line, source: first } = outcome.first;
  if (first.equals(source))
    return { rule: 'duplicate-amount', column: null, value: `a copy of line ${line}: ${value}` };
  const firstCells = splitCells(first.toString());
  const amounts = names.flatMap((name, index) => {
    if (file.columns[name]?.type !== 'amount') return [];
    return [`${name} ${describeCell(firstCells[index])} there, ${describeCell(cells[index])} here`];
  });
  return { rule: 'duplicate-amount', column: null, value: `as line ${line} (${amounts.join('; ')}): ${value}` };
}

function describeCell(cell = ''): string {
  const text = cell.trim();
  return text === '' ? '(empty)' : text;
}
