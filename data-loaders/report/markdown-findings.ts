// What was found about rows, file by file and rule by rule, with how to mend it.

import { code, table } from './markdown-text';
import type { FileCounts, Finding, Report } from '../format/report';
import { rules, type RuleName } from '../format/rules';
import { counted, grouped } from '../format/wording';

/** Of each rule and file; rejected.csv has all rejected rows and report.json the first 1,000 of each. */
const MAX_FINDINGS_SHOWN: Readonly<Record<Severity, number>> = { rejected: 100, warned: 20 };

type Severity = (typeof rules)[RuleName]['severity'];

/** It concerns files as a whole: no row was rejected or warned for. */
const OF_THE_FILE = 'absent-column';

export function rejectedRows(report: Report): readonly string[] {
  const lines = sections(report, 'rejected');
  if (lines.length === 0) return ['## What to mend', '', 'Nothing: no row was rejected.', ''];
  return [
    '## What to mend',
    '',
    'These rows were not taken. A line is counted as a text editor counts: the header is line 1, and a row that runs over several ' +
      'lines is named by its first. Columns have the names of the format; a file may have them under an older name. All rejected rows, ' +
      'with their reasons, are in the `.rejected.csv` of each file: mend them there and send them as a `merge`, or mend the files and ' +
      'send everything again.',
    '',
    ...lines,
  ];
}

export function warnedRows(report: Report): readonly string[] {
  const lines = [...sections(report, 'warned'), ...absentColumns(report)];
  if (lines.length === 0) return [];
  return ['## Warnings', '', 'These rows were taken. What is listed here would make them better.', '', ...lines];
}

function absentColumns({ findings }: Report): readonly string[] {
  const absent = findings.filter(({ rule }) => rule === OF_THE_FILE);
  if (absent.length === 0) return [];
  const { sentence, mend } = rules[OF_THE_FILE];
  return [
    '### Columns that are not there',
    '',
    `**${sentence}** (rule \`${OF_THE_FILE}\`) ${mend}`,
    ...table(
      ['File', 'Columns'],
      absent.map(({ file, value }) => [file, value.split(', ').map(code).join(', ')]),
    ),
  ];
}

function sections(report: Report, severity: Severity): readonly string[] {
  return report.files.flatMap((file) => {
    const entries = Object.entries(file.reasons) as [RuleName, number][]; // Its keys are rules.
    const found = entries.filter(([rule]) => rules[rule].severity === severity && rule !== OF_THE_FILE);
    if (found.length === 0) return [];
    const findings = report.findings.filter((finding) => finding.file === file.file);
    return [`### ${file.file}`, '', ...found.flatMap(([rule, count]) => ruleSection(file, rule, count, findings))];
  });
}

function ruleSection(file: FileCounts, rule: RuleName, count: number, findings: readonly Finding[]): readonly string[] {
  const { severity, sentence, mend, example } = rules[rule];
  const found = findings.filter((finding) => finding.rule === rule);
  const shown = found.slice(0, MAX_FINDINGS_SHOWN[severity]);
  const more = count - shown.length;
  return [
    `**${sentence}** (${timesOf(file, rule, count)}, rule \`${rule}\`)`,
    '',
    `How to mend it: ${mend} For example: ${example}`,
    ...table(
      ['Line:', 'Column', 'Found'],
      shown.map(({ line, column, value }) => [String(line), column ?? '(the row)', foundText(rule, value)]),
    ),
    ...(more > 0 && rule !== 'missing-column' ? [`And ${grouped(more)} more of this kind in ${file.file}.`, ''] : []),
  ];
}

/** A row can have two bad cells, so cells are not rows. */
function timesOf({ accepted }: FileCounts, rule: RuleName, count: number): string {
  if (rule === 'missing-column') return counted(count, 'row');
  const isEvery = rules[rule].severity === 'warned' && count === accepted && count > 1;
  return `${counted(count, 'time')}${isEvery ? ', as often as rows were taken' : ''}`;
}

function foundText(rule: RuleName, value: string): string {
  return rule === 'missing-column' ? '(the column is missing)' : code(value);
}
