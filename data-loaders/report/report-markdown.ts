// The report in Markdown, for a state's data manager who never saw this program: the verdict, the rows to mend with how
// to mend them, and what changed against the former release.

import { counted, grouped, type FileCounts, type Finding, type Report } from '../format/report';
import { rules, type RuleName } from '../format/rules';
import { changes, smells, uncategorizedUses } from './markdown-comparison';
import { code, table } from './markdown-text';

const NOTHING_CHANGED = 'Nothing was published, and nothing that was published before has changed.';

const verdictTexts: Readonly<Record<Report['verdict'], { readonly title: string; readonly meaning: string }>> = {
  published: { title: 'Published', meaning: 'Whoever asks the service is answered from this submission now.' },
  unchanged: { title: 'Unchanged', meaning: 'Whoever asks the service gets what they got before.' },
  refused: { title: 'Refused', meaning: `${NOTHING_CHANGED} Mend what is listed and send it again.` },
  'would-publish': { title: 'Dry run', meaning: 'Nothing was published: this run only looked.' },
};

/** Findings listed for a rule and a file; report.json has the first 1,000 findings. */
const MAX_FINDINGS_SHOWN = { rejected: 100, warned: 20 } as const;

/** The rule about files as a whole, for which no row is rejected or warned. */
const FILE_RULE = 'absent-column';

export function reportMarkdown(report: Report): string {
  const { title, meaning } = verdictTexts[report.verdict];
  const lines = [
    `# ${title}`,
    '',
    `${report.sentence} ${meaning}`,
    ...fileTable(report),
    ...rejectedRows(report),
    ...warnedRows(report),
    ...changes(report),
    ...smells(report),
    ...uncategorizedUses(report),
    ...notes(report),
    ...identity(report),
  ];
  return `${lines.join('\n').trimEnd()}\n`;
}

function fileTable({ files }: Report): readonly string[] {
  if (files.length === 0) return [''];
  return table(
    ['File', 'Rows:', 'Accepted:', 'With warnings:', 'Rejected:'],
    files.map((file) => [file.file, ...[file.read, file.accepted, file.warned, file.rejected].map(grouped)]),
  );
}

function rejectedRows(report: Report): readonly string[] {
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

function warnedRows(report: Report): readonly string[] {
  const lines = [...sections(report, 'warned'), ...absentColumns(report)];
  if (lines.length === 0) return [];
  return [
    '## Warnings',
    '',
    'These rows were taken. What is listed here would make them better. All warnings are in the `.warned.csv` of each file.',
    '',
    ...lines,
  ];
}

function absentColumns({ findings }: Report): readonly string[] {
  const absent = findings.filter(({ rule }) => rule === FILE_RULE);
  if (absent.length === 0) return [];
  const { sentence, mend } = rules[FILE_RULE];
  return [
    '### Columns that are not there',
    '',
    `**${sentence}** (rule \`${FILE_RULE}\`) ${mend}`,
    ...table(
      ['File', 'Columns'],
      absent.map(({ file, value }) => [file, value.split(', ').map(code).join(', ')]),
    ),
  ];
}

function sections(report: Report, severity: keyof typeof MAX_FINDINGS_SHOWN): readonly string[] {
  return report.files.flatMap((file) => {
    const entries = Object.entries(file.reasons) as [RuleName, number][]; // Its keys are rules.
    const found = entries.filter(([rule]) => rules[rule].severity === severity && rule !== FILE_RULE);
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
  const isMissing = rule === 'missing-column';
  return [
    `**${sentence}** (${timesOf(file, rule, count)}, rule \`${rule}\`)`,
    '',
    `How to mend it: ${mend} For example: ${example}`,
    ...table(
      ['Line:', 'Column', 'Found'],
      shown.map(({ line, column, value }) => {
        return [String(line), column ?? '(the row)', isMissing ? '(the column is missing)' : code(value)];
      }),
    ),
    ...(more > 0 && !isMissing ? [`And ${grouped(more)} more of this kind in ${file.file}.`, ''] : []),
  ];
}

/** Counts cells and not rows, since a row can have two bad cells. */
function timesOf({ accepted }: FileCounts, rule: RuleName, count: number): string {
  if (rule === 'missing-column') return counted(count, 'row');
  const isEvery = rules[rule].severity === 'warned' && count === accepted && count > 1;
  return `${counted(count, 'time')}${isEvery ? ', as often as rows were taken' : ''}`;
}

function notes({ notes: texts }: Report): readonly string[] {
  return texts.length === 0 ? [] : ['## Notes', '', ...texts.map((note) => `- ${note}`), ''];
}

function identity({ dataSets, dataVersion, milliseconds }: Report): readonly string[] {
  const releases = dataSets.flatMap(({ dataSet, releaseId }) =>
    releaseId === null ? [] : [`- Release of ${dataSet}: \`${releaseId}\``],
  );
  return [
    '## Identity',
    '',
    ...releases,
    ...(dataVersion === null ? [] : [`- Data version: \`${dataVersion}\``]),
    `- Time taken: ${(milliseconds / 1000).toFixed(1)} s`,
  ];
}
