// The report for a state's data manager who never saw this program: the verdict, what to mend and where, what changed.

import { changes, smells, uncategorizedUses } from './markdown-comparison';
import { rejectedRows, warnedRows } from './markdown-findings';
import { table } from './markdown-text';
import type { Report, Verdict } from '../format/report';
import { grouped } from '../format/wording';

const verdictTexts: Readonly<Record<Verdict, { readonly title: string; readonly meaning: string }>> = {
  published: { title: 'Published', meaning: 'Whoever asks the service is answered from this submission now.' },
  unchanged: { title: 'Unchanged', meaning: 'Whoever asks the service gets what they got before.' },
  refused: {
    title: 'Refused',
    meaning:
      'Nothing was published, and nothing that was published before has changed. Mend what is listed and send it again.',
  },
  'would-publish': { title: 'Dry run', meaning: 'Nothing was published: this run only looked.' },
};

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
    files.map(({ file, read, accepted, warned, rejected }) => [
      file,
      ...[read, accepted, warned, rejected].map(grouped),
    ]),
  );
}

function notes(report: Report): readonly string[] {
  if (report.notes.length === 0) return [];
  return ['## Notes', '', ...report.notes.map((note) => `- ${note}`), ''];
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
