// The section of a report about changes since the previous release.

import {
  type Block,
  column,
  heading,
  numberColumn,
  paragraph,
  table,
  type Text,
} from '../../shared/documents/document';
import type { ChangeExamples, DataSetOutcome, Report, Sums, TotalsChange } from '../format/report';
import { formatCount, formatNumber } from '../format/report-numbers';
import { differencesText } from './difference-text';
import { identityTable } from './identity-table';
import { getDataSetTitle, valueText } from './phrases';

export function changes(report: Report): readonly Block[] {
  if (report.dataSets.length === 0) return [];
  return [heading(2, 'What changed'), ...report.dataSets.flatMap(dataSetChanges)];
}

function dataSetChanges(dataSet: DataSetOutcome): readonly Block[] {
  const { examples, totals, outcome, records } = dataSet;
  return [
    heading(3, getDataSetTitle(dataSet)),
    paragraph(`${OUTCOME_TEXTS[outcome](formatCount(records, 'record'))}${changeText(dataSet)}`),
    ...(examples === null ? [] : exampleLists(dataSet, examples)),
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
  kept: () => 'No row could be read, so this data set stays as it was published before.',
};

function changeText({ change, formerReleaseId }: DataSetOutcome): string {
  if (change === null) return '';
  if (formerReleaseId === null) return ' This is the first release of this data set.';
  return ` Compared with the previous release: ${formatNumber(change.added)} added, ${formatNumber(change.removed)} removed, ${formatNumber(change.changed)} changed.`;
}

function exampleLists({ change }: DataSetOutcome, examples: ChangeExamples): readonly Block[] {
  const { added, removed, changed } = examples;
  const identities = changed.map(({ identity }) => identity);
  const differences = changed.map(({ members }) => differencesText(members));
  return [
    ...identityTable(listTitle('Added', added.length, change?.added), added),
    ...identityTable(listTitle('Removed', removed.length, change?.removed), removed),
    ...identityTable(listTitle('Changed', changed.length, change?.changed), identities, differences),
  ];
}

function listTitle(title: string, listed: number, count: number | undefined): string {
  return count !== undefined && count > listed ? `${title}, the first ${listed} of ${formatNumber(count)}` : title;
}

function totalTables({ variables, uses, omitted }: TotalsChange): readonly Block[] {
  // A first release has no previous totals.
  const isFirst = [...variables, ...uses].every(({ before }) => before === null);
  const columns = isFirst
    ? [column('Unit'), numberColumn('Records'), column('Sum')]
    : [
        column('Unit'),
        numberColumn('Records before'),
        numberColumn('Records after'),
        column('Sum before'),
        column('Sum after'),
      ];
  const variableRows = variables.map(({ variableSpecific, ...total }) => {
    return [valueText(variableSpecific), ...totalCells(total, isFirst)];
  });
  const useRows = uses.map(({ use, ...total }) => {
    return [use === null ? '(none)' : valueText(use), ...totalCells(total, isFirst)];
  });
  const omittedText = `And ${formatNumber(omitted)} more variables and uses with fewer records.`;
  return [
    paragraph('Totals by variable:'),
    table('Totals by variable', [column('Variable'), ...columns], variableRows),
    paragraph('Totals by use (a record with several uses counts under each):'),
    table('Totals by use', [column('Use'), ...columns], useRows),
    ...(omitted === 0 ? [] : [paragraph(omittedText)]),
  ];
}

type Total = Omit<TotalsChange['uses'][number], 'use'>;

function totalCells({ unit, before, after }: Total, isFirst: boolean): readonly Text[] {
  const sums = isFirst ? [after] : [before, after];
  const records = sums.map((one) => (one === null ? '–' : formatNumber(one.records)));
  return [unit ?? '', ...records, ...sums.map(sumsText)];
}

/** If there are several sums, omits sums that are zero: most rights have either a flow or a volume. */
function sumsText(sums: Sums | null): string {
  if (sums === null) return '–';
  const entries = Object.entries(sums.sums);
  const [only, ...others] = entries;
  if (only !== undefined && others.length === 0) return formatNumber(only[1]);
  const given = entries.filter(([, sum]) => sum !== 0);
  return given.length === 0 ? '0' : given.map(([member, sum]) => `${member} ${formatNumber(sum)}`).join(', ');
}
