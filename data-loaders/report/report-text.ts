// The report as people read it: a text for a terminal, and Markdown for a state's data manager who never saw this
// program, with the verdict, the rows to mend and how to mend them, what changed against the former release, and what a
// person should look at.

import {
  type ChangeExamples,
  type DataSetOutcome,
  type FileCounts,
  type Finding,
  formatCount,
  formatNumber,
  type Hold,
  type Identity,
  type Report,
  type Sums,
  type TotalsChange,
  type UncategorizedUse,
} from '../format/report';
import { holdReasons, qualityWarnings, type RuleName, rules } from '../format/rules';

/** Findings listed for a rule and a file; report.json has the first 1,000 findings. */
const MAX_FINDINGS_SHOWN = { terminal: 10, rejected: 100, warned: 20, noted: 20 } as const;

export function reportText(report: Report): string {
  const lines = [
    report.sentence,
    '',
    ...report.files.flatMap((file) => [
      `${file.file}: ${file.read} read, ${file.accepted} accepted (${file.warned} with warnings), ${file.rejected} rejected`,
      ...appliedRules(file, report).flatMap(ruleLines),
    ]),
    ...report.dataSets.flatMap(dataSetLines),
    ...report.notes.map((note) => `Note: ${note}`),
    ...(report.dataVersion === null ? [] : [`Data version ${report.dataVersion}`]),
    seconds(report),
    ...confirmation(report),
  ];
  return lines.join('\n');
}

/** How often a rule applied to a file, and the first findings. */
interface AppliedRule {
  readonly file: FileCounts;
  readonly rule: RuleName;
  readonly count: number;
  readonly findings: readonly Finding[];
}

function appliedRules(file: FileCounts, report: Report): readonly AppliedRule[] {
  const counts = Object.entries(file.reasons) as [RuleName, number][]; // Its keys are rules.
  const findings = report.findings.filter((finding) => finding.file === file.file);
  return counts.map(([rule, count]) => {
    return { file, rule, count, findings: findings.filter((finding) => finding.rule === rule) };
  });
}

function seconds({ milliseconds }: Report): string {
  return `${(milliseconds / 1000).toFixed(1)} s`;
}

function dataSetLines(dataSet: DataSetOutcome): readonly string[] {
  const { organizationUuid, outcome, records, change, releaseId, qualityWarnings, uncategorizedUses } = dataSet;
  const release = releaseId === null ? '' : `, release ${releaseId}`;
  const changes =
    change === null ? '' : `: ${change.added} added, ${change.removed} removed, ${change.changed} changed`;
  const unknown = uncategorizedUses.filter(({ primaryUse }) => primaryUse === null).map(({ use }) => use);
  return [
    `${organizationUuid} ${dataSet.dataSet} ${outcome}, ${records} records${changes}${release}`,
    ...dataSet.holds.flatMap(holdLines),
    ...qualityWarnings.map(({ name, sentence }) => `  look at this: ${sentence} (${name})`),
    ...(unknown.length === 0 ? [] : [`  uses that no table has a category for: ${oneLine(unknown.join(', '))}`]),
  ];
}

function ruleLines({ rule, count, findings }: AppliedRule): readonly string[] {
  const { severity, sentence } = rules[rule];
  const listed = findings.slice(0, MAX_FINDINGS_SHOWN.terminal);
  const lines = listed.map(({ line, column, value }) => {
    const where = column === null ? `line ${line}` : `line ${line}, ${column}`;
    return `      ${where}: ${oneLine(value)}`;
  });
  const more =
    count > listed.length
      ? [`      and ${count - listed.length} more (up to 1,000 with --json, all with --rejected FOLDER)`]
      : [];
  return [`  ${severity} ${count} × ${rule}: ${sentence}`, ...lines, ...more];
}

function oneLine(text: string): string {
  const flat = text.replace(/\s+/g, ' ');
  return flat.length > 100 ? `${flat.slice(0, 100)}…` : flat;
}

const NOTHING_CHANGED = 'Nothing was published, and nothing that was published before has changed.';

interface VerdictText {
  readonly title: string;
  readonly meaning: string;
  /** How rejected rows are mended: a merge is laid over what is published, so it mends nothing else. */
  readonly advice: string;
}

const MEND_ROWS = 'mend them there and send them as a `merge`, or mend the files and send everything again.';
const MEND_FILES = 'mend the files and send everything again.';

const DRY_RUN: VerdictText = {
  title: 'Dry run',
  meaning: 'Nothing was published: this run only looked.',
  advice: MEND_FILES,
};

const verdictTexts: Readonly<Record<Report['verdict'], VerdictText>> = {
  published: {
    title: 'Published',
    meaning: 'Whoever asks the service is answered from this submission now.',
    advice: MEND_ROWS,
  },
  unchanged: {
    title: 'Unchanged',
    meaning: 'Whoever asks the service gets what they got before.',
    advice: MEND_ROWS,
  },
  refused: {
    title: 'Refused',
    meaning: `${NOTHING_CHANGED} Mend what is listed and send everything again.`,
    advice: MEND_FILES,
  },
  'would-publish': DRY_RUN,
  held: { title: 'Held', meaning: NOTHING_CHANGED, advice: MEND_FILES },
  'would-be-held': DRY_RUN,
};

export function reportMarkdown(report: Report): string {
  const { title, meaning } = verdictTexts[report.verdict];
  const lines = [
    `# ${title}`,
    '',
    `${report.sentence} ${meaning}`,
    ...holds(report),
    ...fileTable(report),
    ...rejectedRows(report),
    ...warnedRows(report),
    ...changes(report),
    ...warnings(report),
    ...uncategorizedUses(report),
    ...notes(report),
    ...identity(report),
    ...section(
      'How to confirm it',
      'Do this only if what stands under "Why it is held" is right.',
      confirmation(report),
    ),
  ];
  return `${lines.join('\n').trimEnd()}\n`;
}

function fileTable({ files }: Report): readonly string[] {
  if (files.length === 0) return [''];
  return table(
    ['File', 'Rows:', 'Accepted:', 'With warnings:', 'Rejected:'],
    files.map((file) => [file.file, ...[file.read, file.accepted, file.warned, file.rejected].map(formatNumber)]),
  );
}

function rejectedRows(report: Report): readonly string[] {
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

function warnedRows(report: Report): readonly string[] {
  return section(
    'Warnings',
    'These rows were taken. What is listed here would make them better. All warnings are in the `.warned.csv` of each file.',
    [...ruleSections(report, 'warned'), ...ruleSections(report, 'noted'), ...absentColumns(report)],
  );
}

/** The rule that has one table for all files. */
const ABSENT = 'absent-column';

/** Left out when it has no lines. */
function section(title: string, introduction: string, lines: readonly string[]): readonly string[] {
  return lines.length === 0 ? [] : [`## ${title}`, '', introduction, '', ...lines];
}

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

function ruleSections(report: Report, severity: (typeof rules)[RuleName]['severity']): readonly string[] {
  return report.files.flatMap((file) => {
    const applied = appliedRules(file, report);
    const found = applied.filter(({ rule }) => rules[rule].severity === severity && rule !== ABSENT);
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

/** Counts cells and not rows, since a row can have two bad cells. */
function timesOf({ accepted }: FileCounts, rule: RuleName, count: number): string {
  const isEvery = rules[rule].severity === 'warned' && count === accepted && count > 1;
  return `${formatCount(count, 'time')}${isEvery ? ', as often as rows were taken' : ''}`;
}

function changes(report: Report): readonly string[] {
  if (report.dataSets.length === 0) return [];
  return ['## What changed', '', ...report.dataSets.flatMap(dataSetChanges)];
}

function warnings(report: Report): readonly string[] {
  return section(
    'What a person should look at',
    'Nothing of this keeps a submission from being published, and it may be right. It often is not.',
    report.dataSets.flatMap((dataSet) =>
      dataSet.qualityWarnings.flatMap((warning) =>
        lookAt(dataSet, warning, warning.name, qualityWarnings[warning.name].advice),
      ),
    ),
  );
}

function uncategorizedUses(report: Report): readonly string[] {
  const uses = report.dataSets.flatMap((dataSet) => dataSet.uncategorizedUses);
  const unknown = uses.filter(({ primaryUse }) => primaryUse === null);
  const known = uses.filter(({ primaryUse }) => primaryUse !== null);
  const lines = [
    ...useList('Not known to our table', unknown),
    ...useList('Known, and in none of the eight categories', known),
  ];
  return section(
    'Uses without a USGS category',
    'Searches by USGSCategoryNameCV do not find records by these uses. If one of the eight categories fits, say so in beneficialuses.csv.',
    lines.length === 0 ? [] : [...lines, ''],
  );
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

/** A table with a column for each member that any of the identities has, and one for the remarks if there are any. */
function identityTable(title: string, identities: readonly Identity[], remarks?: readonly string[]): readonly string[] {
  if (identities.length === 0) return [];
  const members = [...new Set(identities.flatMap((identity) => Object.keys(identity)))];
  const rows = identities.map((identity, index) => {
    const texts = members.map((member) => memberText(identity[member]));
    return remarks === undefined ? texts : [...texts, remarks[index] ?? ''];
  });
  const shown = identities.length === 1 ? title : `${title}, the first ${identities.length}`;
  return [`${shown}:`, ...table(remarks === undefined ? members : [...members, 'What'], rows)];
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
    ...(omitted === 0 ? [] : [`And ${formatNumber(omitted)} more variables and uses with fewer records.`, '']),
  ];
}

type Total = Omit<TotalsChange['uses'][number], 'use'>;

function totalCells({ unit, before, after }: Total, isFirst: boolean): readonly string[] {
  const sums = isFirst ? [after] : [before, after];
  const records = sums.map((one) => (one === null ? '–' : formatNumber(one.records)));
  return [unit ?? '', ...records, ...sums.map(sumsText)];
}

/** Leaves out the sums of zero when there are several: most rights have a flow or a volume, and few have both. */
function sumsText(sums: Sums | null): string {
  if (sums === null) return '–';
  const entries = Object.entries(sums.sums);
  const [only, ...others] = entries;
  if (only !== undefined && others.length === 0) return formatNumber(only[1]);
  const given = entries.filter(([, sum]) => sum !== 0);
  return given.length === 0 ? '0' : given.map(([member, sum]) => `${member} ${formatNumber(sum)}`).join(', ');
}

/** What somebody is to look at, by the name of the warning or the reason. */
function lookAt(
  dataSet: DataSetOutcome,
  { sentence, examples }: Pick<Hold, 'sentence' | 'examples'>,
  name: string,
  advice: string,
): readonly string[] {
  // A record that is gone has nothing beside its identity.
  const remarks = name === 'records-gone' ? undefined : examples.map(exampleText);
  const identities = examples.map(({ identity }) => identity);
  return [
    `**${titleOf(dataSet)}: ${sentence}** (\`${name}\`) ${advice}`,
    '',
    ...identityTable('Of these', identities, remarks),
  ];
}

function exampleText({ member, before, after }: Hold['examples'][number]): string {
  return `${member ?? 'at'} ${before === null ? '' : `${scalarText(before)} → `}${scalarText(after)}`;
}

/** What somebody is to confirm, or has confirmed, and how (D64). */
function holds(report: Report): readonly string[] {
  const isPublished = report.verdict === 'published';
  return section(
    isPublished ? 'What was confirmed' : 'Why it is held',
    isPublished
      ? 'This is probably wrong, and was published because somebody confirmed it.'
      : 'This is probably wrong. If it is, mend the files and send them again. If it is right, confirm it.',
    report.dataSets.flatMap((dataSet) =>
      dataSet.holds.flatMap((hold) => lookAt(dataSet, hold, hold.reason, holdReasons[hold.reason].look)),
    ),
  );
}

function holdLines({ reason, sentence, examples }: Hold): readonly string[] {
  const listed = examples.slice(0, MAX_FINDINGS_SHOWN.terminal).map((example) => {
    const identity = Object.values(example.identity).join(', ');
    return `      ${oneLine(reason === 'records-gone' ? identity : `${identity}: ${exampleText(example)}`)}`;
  });
  return [`  held (${reason}): ${sentence} ${holdReasons[reason].look}`, ...listed];
}

/** How to publish what is held; empty for all else. */
function confirmation({ verdict, confirmationCode: code }: Report): readonly string[] {
  if (code === null || (verdict !== 'held' && verdict !== 'would-be-held')) return [];
  return [
    `The confirmation code is ${code}. To publish exactly this, write "confirm": "${code}" into submission.json and send ` +
      `the submission again, or run npm run load -- FOLDER --confirm ${code}.`,
  ];
}

function useList(title: string, uses: readonly UncategorizedUse[]): readonly string[] {
  if (uses.length === 0) return [];
  return [
    `- ${title}: ${uses.map(({ use, records }) => `${code(use)} (${formatCount(records, 'record')})`).join(', ')}.`,
  ];
}

function titleOf({ dataSet, organizationUuid }: DataSetOutcome): string {
  return `${dataSet} of ${organizationUuid}`;
}

function scalarText(value: string | number | boolean | null): string {
  return value === null ? '(empty)' : code(String(value));
}

function notes({ notes: texts }: Report): readonly string[] {
  return texts.length === 0 ? [] : ['## Notes', '', ...texts.map((note) => `- ${note}`), ''];
}

function identity(report: Report): readonly string[] {
  const { dataSets, dataVersion } = report;
  const releases = dataSets.filter(({ releaseId }) => releaseId !== null);
  return [
    '## Identity',
    '',
    ...releases.map(({ dataSet, releaseId }) => `- Release of ${dataSet}: \`${releaseId}\``),
    ...(dataVersion === null ? [] : [`- Data version: \`${dataVersion}\``]),
    `- Time taken: ${seconds(report)}`,
    '',
  ];
}

/** A report is for reading; report.json has the whole value. */
const MAX_VALUE_CHARACTERS = 120;

/** A value as it stands in a file, on one line. */
function code(value: string): string {
  const flat = value.replace(/\s+/g, ' ').trim();
  const text = flat.length > MAX_VALUE_CHARACTERS ? `${flat.slice(0, MAX_VALUE_CHARACTERS)}…` : flat;
  if (text === '') return '(empty)';
  return text.includes('`') ? `\`\` ${text} \`\`` : `\`${text}\``;
}

/** A table of cells that are Markdown already; columns whose names end in a colon are aligned to the right. */
export function table(columns: readonly string[], rows: readonly (readonly string[])[]): readonly string[] {
  const names = columns.map((column) => column.replace(/:$/, ''));
  const rules = columns.map((column) => (column.endsWith(':') ? '---:' : '---'));
  return ['', line(names), line(rules), ...rows.map(line), ''];
}

function line(cells: readonly string[]): string {
  return `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
}
