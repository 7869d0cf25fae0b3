// The report in Markdown, for a data manager who has never seen this program.

import type { Report } from '../format/report';
import { formatNumber } from '../format/report-numbers';
import { changes } from './change-sections';
import { section, table } from './markdown';
import { confirmation, seconds } from './phrases';
import { holds, uncategorizedUses, warnings } from './review-sections';
import { rejectedRows, warnedRows } from './rule-sections';
import { verdictTexts } from './verdict-texts';

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
