// The sections of the Markdown report on rejected rows and warnings.

import type { FileCounts, Report } from '../format/report';
import { formatCount, formatNumber } from '../format/report-numbers';
import { isForReview, type RuleName, rules } from '../format/rules';
import { type AppliedRule, appliedRules, MAX_FINDINGS_SHOWN } from './applied-rules';
import { code, section, table } from './markdown';
import { verdictTexts } from './verdict-texts';

export function rejectedRows(report: Report): readonly string[] {
  const lines = ruleSections(report, 'rejected');
  if (lines.length === 0) return ['## What to mend', '', 'Nothing: no row was rejected.', ''];
  return section(
    'What to mend',
    'These rows were not taken. A line is counted as a text editor counts: the header is line 1, and a row that runs over several ' +
      'lines is named by its first. Columns have the names of the format; a file may have them under an older name. All rejected rows, ' +
      `with their reasons, are in the \`.rejected.csv\` of each file: ${verdictTexts[report.verdict].advice}`,
    lines,
  );
}

export function warnedRows(report: Report): readonly string[] {
  return section(
    'Warnings',
    'These rows were taken. What is listed here would make them better. All warnings are in the `.warned.csv` of each file.',
    [...ruleSections(report, 'warned'), ...ruleSections(report, 'noted'), ...absentColumns(report)],
  );
}

/** The rule that has one table for all files. */
const ABSENT = 'absent-column';

function absentColumns({ findings }: Report): readonly string[] {
  const absent = findings.filter(({ rule }) => rule === ABSENT);
  if (absent.length === 0) return [];
  const { sentence, fix: mend } = rules[ABSENT];
  return [
    '### Columns that are not there',
    '',
    `**${sentence}** (rule \`${ABSENT}\`) ${mend}`,
    ...table(
      ['File', 'Columns'],
      absent.map(({ file, value }) => [file, value.split(', ').map(code).join(', ')]),
    ),
  ];
}

/** The rows that are listed under what a person should look at. */
export function rowsForReview(report: Report): readonly string[] {
  return listRules(report, isForReview);
}

function ruleSections(report: Report, severity: (typeof rules)[RuleName]['severity']): readonly string[] {
  return listRules(report, (rule) => rules[rule].severity === severity && rule !== ABSENT && !isForReview(rule));
}

function listRules(report: Report, isIncluded: (rule: RuleName) => boolean): readonly string[] {
  return report.files.flatMap((file) => {
    const found = appliedRules(file, report).filter(({ rule }) => isIncluded(rule));
    return found.length === 0 ? [] : [`### ${file.file}`, '', ...found.flatMap(ruleSection)];
  });
}

function ruleSection({ file, rule, count, findings }: AppliedRule): readonly string[] {
  const { severity, sentence, fix: mend, example } = rules[rule];
  const shown = findings.slice(0, MAX_FINDINGS_SHOWN[severity]);
  const more = count - shown.length;
  return [
    `**${sentence}** (${timesOf(file, rule, count)}, rule \`${rule}\`)`,
    '',
    `How to mend it: ${mend} For example: ${example}`,
    ...table(
      ['Line:', 'Column', 'Found'],
      shown.map(({ line, column, value }) => {
        const isMissing = rule === 'missing-column' && value === '';
        return [String(line), column ?? '(the row)', isMissing ? '(the column is missing)' : code(value)];
      }),
    ),
    ...(more > 0 ? [`And ${formatNumber(more)} more of this kind in ${file.file}.`, ''] : []),
  ];
}

/** Counts cells and not rows, because a row can have two bad cells. */
function timesOf({ accepted }: FileCounts, rule: RuleName, count: number): string {
  const isEvery = rules[rule].severity === 'warned' && count === accepted && count > 1;
  return `${formatCount(count, 'time')}${isEvery ? ', as often as rows were taken' : ''}`;
}
