// The part of the Markdown report that compares with the former release: what changed, and what a person should see.

import { counted, grouped, type DataSetOutcome, type Report } from '../format/report';
import type { ChangeExamples, Difference, Identity, Smell } from '../format/report';
import type { Sums, TotalsChange, UncategorizedUse } from '../format/report';
import { smellTexts } from '../format/smell-texts';
import { code, table } from './markdown-text';

export function changes(report: Report): readonly string[] {
  if (report.dataSets.length === 0) return [];
  return ['## What changed', '', ...report.dataSets.flatMap(dataSetChanges)];
}

export function smells(report: Report): readonly string[] {
  const found = report.dataSets.flatMap((dataSet) => dataSet.smells.map((smell) => ({ dataSet, smell })));
  if (found.length === 0) return [];
  return [
    '## What a person should look at',
    '',
    'Nothing of this keeps a submission from being published, and it may be right. It often is not.',
    '',
    ...found.flatMap(({ dataSet, smell }) => smellSection(dataSet, smell)),
  ];
}

export function uncategorizedUses(report: Report): readonly string[] {
  const uses = report.dataSets.flatMap((dataSet) => dataSet.uncategorizedUses);
  if (uses.length === 0) return [];
  const unknown = uses.filter(({ primaryUse }) => primaryUse === null);
  const known = uses.filter(({ primaryUse }) => primaryUse !== null);
  return [
    '## Uses without a USGS category',
    '',
    'Searches by USGSCategoryNameCV do not find records by these uses. If one of the eight categories fits, say so in beneficialuses.csv.',
    '',
    ...useList('Not known to our table', unknown),
    ...useList('Known, and in none of the eight categories', known),
    '',
  ];
}

function dataSetChanges(dataSet: DataSetOutcome): readonly string[] {
  const { examples, totals } = dataSet;
  return [
    `### ${titleOf(dataSet)}`,
    '',
    `${outcomeText(dataSet)}${changeText(dataSet)}`,
    '',
    ...(examples === null ? [] : exampleLists(examples)),
    ...(totals === null ? [] : totalTables(totals)),
  ];
}

function outcomeText({ outcome, records }: DataSetOutcome): string {
  switch (outcome) {
    case 'published':
      return `${counted(records, 'record')} published.`;
    case 'unchanged':
      return `${counted(records, 'record')}, exactly as they were published before.`;
    case 'would-publish':
      return `${counted(records, 'record')} would be published.`;
    case 'refused':
      return `${counted(records, 'record')} would have been published.`;
    case 'kept':
      return 'No row could be taken, so this data set stays as it was published before.';
  }
}

function changeText({ change, formerReleaseId }: DataSetOutcome): string {
  if (change === null) return '';
  if (formerReleaseId === null) return ' It is the first release of this data set.';
  return ` Against the former release: ${grouped(change.added)} added, ${grouped(change.removed)} removed, ${grouped(change.changed)} changed.`;
}

function exampleLists({ added, removed, changed }: ChangeExamples): readonly string[] {
  return [
    ...identityTable('Added', added),
    ...identityTable('Removed', removed),
    ...identityTable(
      'Changed',
      changed.map(({ identity }) => identity),
      changed.map(({ members }) => members.map(differenceText).join('; ')),
    ),
  ];
}

function differenceText({ member, before, after }: Difference): string {
  return `${member} ${scalarText(before)} → ${scalarText(after)}`;
}

/** A table with a column for each member that any of the identities has, and one for the remarks if there are any. */
function identityTable(title: string, identities: readonly Identity[], remarks?: readonly string[]): readonly string[] {
  if (identities.length === 0) return [];
  const members = [...new Set(identities.flatMap((identity) => Object.keys(identity)))];
  const columns = remarks === undefined ? members : [...members, 'What'];
  const rows = identities.map((identity, index) => [
    ...members.map((member) => memberText(identity[member])),
    ...(remarks?.slice(index, index + 1) ?? []),
  ]);
  const shown = identities.length === 1 ? title : `${title}, the first ${identities.length}`;
  return [`${shown}:`, ...table(columns, rows)];
}

/** Shows timestamps at midnight, as D28 gives some dates, as the day that a reader wants. */
function memberText(value: string | undefined): string {
  return value === undefined ? '' : code(value.replace(/T00:00:00$/, ''));
}

function totalTables({ variables, uses, omitted }: TotalsChange): readonly string[] {
  // A first release has nothing before it.
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
    ...(omitted === 0 ? [] : [`And ${grouped(omitted)} more variables and uses with fewer records.`, '']),
  ];
}

type Total = Omit<TotalsChange['uses'][number], 'use'>;

function totalCells({ unit, before, after }: Total, isFirst: boolean): readonly string[] {
  const sums = isFirst ? [after] : [before, after];
  const records = sums.map((one) => (one === null ? '–' : grouped(one.records)));
  return [unit ?? '', ...records, ...sums.map(sumsText)];
}

/** Leaves out the sums of zero when there are several: most rights have a flow or a volume, and few have both. */
function sumsText(sums: Sums | null): string {
  if (sums === null) return '–';
  const entries = Object.entries(sums.sums);
  const [only, ...others] = entries;
  if (only !== undefined && others.length === 0) return grouped(only[1]);
  const given = entries.filter(([, sum]) => sum !== 0);
  return given.length === 0 ? '0' : given.map(([member, sum]) => `${member} ${grouped(sum)}`).join(', ');
}

function smellSection(dataSet: DataSetOutcome, { smell, sentence, examples }: Smell): readonly string[] {
  return [
    `**${titleOf(dataSet)}: ${sentence}** (\`${smell}\`) ${smellTexts[smell].advice}`,
    '',
    ...identityTable(
      'Of these',
      examples.map(({ identity }) => identity),
      examples.map(({ member, before, after }) => {
        return `${member ?? 'at'} ${before === null ? '' : `${scalarText(before)} → `}${scalarText(after)}`;
      }),
    ),
  ];
}

function useList(title: string, uses: readonly UncategorizedUse[]): readonly string[] {
  if (uses.length === 0) return [];
  return [`- ${title}: ${uses.map(({ use, records }) => `${code(use)} (${counted(records, 'record')})`).join(', ')}.`];
}

function titleOf({ dataSet, organizationUuid }: DataSetOutcome): string {
  return `${dataSet} of ${organizationUuid}`;
}

function scalarText(value: string | number | boolean | null): string {
  return value === null ? '(empty)' : code(String(value));
}
