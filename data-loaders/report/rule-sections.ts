// The sections of a report on rejected rows and warnings.

import {
  type Block,
  column,
  heading,
  numberColumn,
  paragraph,
  table,
  type Text,
} from '../../shared/documents/document';
import type { FileCounts, Report } from '../format/report';
import { formatCount, formatNumber } from '../format/report-numbers';
import { isForReview, type RuleName, rules } from '../format/rules';
import { type AppliedRule, appliedRules, MAX_FINDINGS_SHOWN } from './applied-rules';
import { joinInlines, valueText } from './phrases';
import { verdictTexts } from './verdict-texts';

export function rejectedRows(report: Report): readonly Block[] {
  const blocks = ruleSections(report, 'rejected');
  if (blocks.length === 0) return [heading(2, 'What to fix'), paragraph('Nothing: no row was rejected.')];
  return [
    heading(2, 'What to fix'),
    paragraph(
      'These rows were not taken. A line is counted as a text editor counts: the header is line 1, and a row that runs over several ' +
        'lines is named by its first. Columns have the names of the format; a file may have them under an older name. All rejected rows, ' +
        `with their reasons, are in the \`.rejected.csv\` of each file: ${verdictTexts[report.verdict].advice}`,
    ),
    ...blocks,
  ];
}

export function warnedRows(report: Report): readonly Block[] {
  const blocks = [...ruleSections(report, 'warned'), ...ruleSections(report, 'noted'), ...absentColumns(report)];
  if (blocks.length === 0) return [];
  return [
    heading(2, 'Warnings'),
    paragraph(
      'These rows were published. Fixing these would improve the data. All warnings are in the `.warned.csv` of each file.',
    ),
    ...blocks,
  ];
}

/** The rule that has one table for all files. */
const ABSENT = 'absent-column';

function absentColumns({ findings }: Report): readonly Block[] {
  const absent = findings.filter(({ rule }) => rule === ABSENT);
  if (absent.length === 0) return [];
  const { sentence, fix } = rules[ABSENT];
  const title = 'Columns that are not there';
  const rows = absent.map(({ file, value }): readonly Text[] => [file, joinInlines(value.split(', ').map(valueText))]);
  return [
    heading(3, title),
    paragraph([{ strong: sentence }, ' (rule ', { code: ABSENT }, `) ${fix}`]),
    table(title, [column('File'), column('Columns')], rows),
  ];
}

/** The rows that are listed under what a person should look at. */
export function rowsForReview(report: Report): readonly Block[] {
  return listRules(report, isForReview);
}

function ruleSections(report: Report, severity: (typeof rules)[RuleName]['severity']): readonly Block[] {
  return listRules(report, (rule) => rules[rule].severity === severity && rule !== ABSENT && !isForReview(rule));
}

function listRules(report: Report, isIncluded: (rule: RuleName) => boolean): readonly Block[] {
  return report.files.flatMap((file) => {
    const applied = appliedRules(file, report).filter(({ rule }) => isIncluded(rule));
    return applied.length === 0 ? [] : [heading(3, file.file), ...applied.flatMap(ruleSection)];
  });
}

function ruleSection({ file, rule, count, findings }: AppliedRule): readonly Block[] {
  const { severity, sentence, fix, example } = rules[rule];
  const shown = findings.slice(0, MAX_FINDINGS_SHOWN[severity]);
  const more = count - shown.length;
  const rows = shown.map(({ line, column, value }): readonly Text[] => {
    const isMissing = rule === 'missing-column' && value === '';
    return [String(line), column ?? '(the row)', isMissing ? '(the column is missing)' : valueText(value)];
  });
  return [
    paragraph([{ strong: sentence }, ` (${timesOf(file, rule, count)}, rule `, { code: rule }, ')']),
    table(sentence, [numberColumn('Line'), column('Column'), column('Found')], rows),
    ...(more > 0 ? [paragraph(`And ${formatNumber(more)} more of this kind in ${file.file}.`)] : []),
    paragraph(`How to fix it: ${fix} For example: ${example}`),
  ];
}

/** Counts cells and not rows, because a row can have two bad cells. */
function timesOf({ accepted }: FileCounts, rule: RuleName, count: number): string {
  const isEvery = rules[rule].severity === 'warned' && count === accepted && count > 1;
  return `${formatCount(count, 'time')}${isEvery ? ', as often as rows were taken' : ''}`;
}
