// The section of the Markdown report on what changed since the previous release.

import type { ChangeExamples, DataSetOutcome, Report, Sums, TotalsChange } from '../format/report';
import { formatCount, formatNumber } from '../format/report-numbers';
import { identityTable } from './identity-table';
import { code, table } from './markdown';
import { scalarText, titleOf } from './phrases';

export function changes(report: Report): readonly string[] {
  if (report.dataSets.length === 0) return [];
  return ['## What changed', '', ...report.dataSets.flatMap(dataSetChanges)];
}

function dataSetChanges(dataSet: DataSetOutcome): readonly string[] {
  const { examples, totals, outcome, records } = dataSet;
  return [
    `### ${titleOf(dataSet)}`,
    '',
    `${OUTCOME_TEXTS[outcome](formatCount(records, 'record'))}${changeText(dataSet)}`,
    '',
    ...(examples === null ? [] : exampleLists(examples)),
    ...(totals === null ? [] : totalTables(totals)),
  ];
}

const OUTCOME_TEXTS: Readonly<Record<DataSetOutcome['outcome'], (records: string) => string>> = {
  published: (records) => `${records} published.`,
  unchanged: (records) => `${records}, exactly as they were published before.`,
  'would-publish': (records) => `${records} would be published.`,
  refused: (records) => `${records} would have been published.`,
  held: (records) => `${records} would be published.`,
  'would-be-held': (records) => `${records} would be published.`,
  kept: () => 'No row could be taken, so this data set stays as it was published before.',
};

function changeText({ change, formerReleaseId }: DataSetOutcome): string {
  if (change === null) return '';
  if (formerReleaseId === null) return ' It is the first release of this data set.';
  return ` Against the former release: ${formatNumber(change.added)} added, ${formatNumber(change.removed)} removed, ${formatNumber(change.changed)} changed.`;
}

function exampleLists({ added, removed, changed }: ChangeExamples): readonly string[] {
  const identities = changed.map(({ identity }) => identity);
  const changes = changed.map(({ members }) => {
    const texts = members.map(({ member, before, after }) => `${member} ${scalarText(before)} → ${scalarText(after)}`);
    return texts.join('; ');
  });
  return [
    ...identityTable('Added', added),
    ...identityTable('Removed', removed),
    ...identityTable('Changed', identities, changes),
  ];
}

function totalTables({ variables, uses, omitted }: TotalsChange): readonly string[] {
  // A first release has no totals before it.
  const isFirst = [...variables, ...uses].every(({ before }) => before === null);
  const columns = isFirst
    ? ['Unit', 'Records:', 'Sum']
    : ['Unit', 'Records before:', 'Records after:', 'Sum before', 'Sum after'];
  return [
    'Totals by variable:',
    ...table(
      ['Variable', ...columns],
      variables.map(({ variableSpecific, ...total }) => [code(variableSpecific), ...totalCells(total, isFirst)]),
    ),
    'Totals by use (a record with several uses counts under each):',
    ...table(
      ['Use', ...columns],
      uses.map(({ use, ...total }) => [use === null ? '(none)' : code(use), ...totalCells(total, isFirst)]),
    ),
    ...(omitted === 0 ? [] : [`And ${formatNumber(omitted)} more variables and uses with fewer records.`, '']),
  ];
}

type Total = Omit<TotalsChange['uses'][number], 'use'>;

function totalCells({ unit, before, after }: Total, isFirst: boolean): readonly string[] {
  const sums = isFirst ? [after] : [before, after];
  const records = sums.map((one) => (one === null ? '–' : formatNumber(one.records)));
  return [unit ?? '', ...records, ...sums.map(sumsText)];
}

/** Leaves out zero sums if there are several sums: most rights have a flow or a volume, and few have both. */
function sumsText(sums: Sums | null): string {
  if (sums === null) return '–';
  const entries = Object.entries(sums.sums);
  const [only, ...others] = entries;
  if (only !== undefined && others.length === 0) return formatNumber(only[1]);
  const given = entries.filter(([, sum]) => sum !== 0);
  return given.length === 0 ? '0' : given.map(([member, sum]) => `${member} ${formatNumber(sum)}`).join(', ');
}
