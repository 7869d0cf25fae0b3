// The report sections on rejected rows and warnings.

import {
  type Block,
  column,
  heading,
  type Inline,
  numberColumn,
  paragraph,
  table,
  type Text,
} from '../../shared/documents/document';
import type { FileCounts, Report } from '../format/report';
import { formatCount, formatNumber } from '../format/report-numbers';
import { isForReview, type RuleName, rules } from '../format/rules';
import { type AppliedRule, appliedRules, MAX_FINDINGS_SHOWN } from './applied-rules';
import { type FindingGroup, formatLines, groupFindings } from './finding-groups';
import { joinInlines, valueText } from './phrases';
import { verdictTexts } from './verdict-texts';

export function rejectedRows(report: Report): readonly Block[] {
  const blocks = ruleSections(report, 'rejected');
  if (blocks.length === 0) return withoutRejectedRows(report);
  return [
    heading(2, 'What to fix'),
    paragraph(
      'These rows were rejected. Line numbers are those of a text editor: the header is line 1, and a row that runs over several ' +
        "lines is identified by its first line. Columns are shown with the format's names, even if a file uses an older name. All rejected " +
        `rows, with their reasons, are in the \`.rejected.csv\` of each file: ${verdictTexts[report.verdict].advice}`,
    ),
    ...blocks,
  ];
}

/** If a submission is refused as a whole, there are no single rows to fix: it must be sent again. */
function withoutRejectedRows({ verdict }: Report): readonly Block[] {
  const { sendAgain } = verdictTexts[verdict];
  if (verdict === 'held' || verdict === 'would-be-held') return [];
  if (sendAgain !== undefined) return [heading(2, 'What to send again'), paragraph(sendAgain)];
  return [heading(2, 'What to fix'), paragraph('Nothing: no row was rejected.')];
}

export function warnedRows(report: Report): readonly Block[] {
  const blocks = [...ruleSections(report, 'warned'), ...ruleSections(report, 'noted'), ...absentColumns(report)];
  if (blocks.length === 0) return [];
  return [
    heading(2, 'Warnings'),
    paragraph(
      'These rows were accepted. Fixing these would improve the data. All warnings are in the `.warned.csv` of each file.',
    ),
    ...blocks,
  ];
}

/** This rule has one table for all files. */
const ABSENT = 'absent-column';

function absentColumns({ findings }: Report): readonly Block[] {
  const absent = findings.filter(({ rule }) => rule === ABSENT);
  if (absent.length === 0) return [];
  const { sentence, fix } = rules[ABSENT];
  const title = 'Missing columns';
  const rows = absent.map(({ file, value }): readonly Text[] => [file, joinInlines(value.split(', ').map(valueText))]);
  return [
    heading(3, title),
    paragraph([{ strong: sentence }, ' (rule ', { code: ABSENT }, `) ${fix}`]),
    table(title, [column('File'), column('Columns')], rows),
  ];
}

/** The rows in the section of things to check. */
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
  const groups = groupFindings(findings);
  const shown = groups.slice(0, MAX_FINDINGS_SHOWN[severity]);
  const more = count - findings.length + countFindings(groups.slice(shown.length));
  const rows = shown.map((group) => [formatLines(group.lines), group.column ?? '(the row)', foundText(rule, group)]);
  return [
    paragraph([{ strong: sentence }, ` (${timesOf(file, rule, count)}, rule `, { code: rule }, ')']),
    table(sentence, [numberColumn('Line'), column('Column'), column('Found')], rows),
    ...(more > 0 ? [paragraph(`And ${formatNumber(more)} more of this kind in ${file.file}.`)] : []),
    paragraph(`How to fix it: ${fix} For example: ${example}`),
  ];
}

function countFindings(groups: readonly FindingGroup[]): number {
  return groups.reduce((sum, { count }) => sum + count, 0);
}

function foundText(rule: RuleName, { value }: FindingGroup): Inline {
  const isMissing = rule === 'missing-column' && value === '';
  return isMissing ? '(the column is missing)' : valueText(value);
}

/** Counts cells rather than rows, because a row can have two bad cells. */
function timesOf({ accepted }: FileCounts, rule: RuleName, count: number): string {
  const isEvery = rules[rule].severity === 'warned' && count === accepted && count > 1;
  return `${formatCount(count, 'time')}${isEvery ? ', in every row' : ''}`;
}
