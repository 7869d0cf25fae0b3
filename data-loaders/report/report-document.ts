// The report of a load as a document, written for a data manager who has never seen this program.

import {
  type Block,
  column,
  type DocumentText,
  heading,
  list,
  numberColumn,
  paragraph,
  table,
  type Text,
} from '../../shared/documents/document';
import type { Report } from '../format/report';
import { formatNumber } from '../format/report-numbers';
import { changes } from './change-sections';
import { confirmation, seconds } from './phrases';
import { holds, uncategorizedUses, warnings } from './review-sections';
import { rejectedRows, warnedRows } from './rule-sections';
import { verdictTexts } from './verdict-texts';

/** The content of report.md and report.html. */
export function buildReportDocument(report: Report): DocumentText {
  const { title, meaning } = verdictTexts[report.verdict];
  return {
    title,
    blocks: [
      paragraph(`${report.sentence} ${meaning}`),
      ...holds(report),
      ...fileTable(report),
      ...rejectedRows(report),
      ...warnedRows(report),
      ...changes(report),
      ...warnings(report),
      ...uncategorizedUses(report),
      ...notes(report),
      ...identity(report),
      ...howToConfirm(report),
    ],
  };
}

function fileTable({ files }: Report): readonly Block[] {
  if (files.length === 0) return [];
  const columns = [
    column('File'),
    numberColumn('Rows'),
    numberColumn('Accepted'),
    numberColumn('With warnings'),
    numberColumn('Rejected'),
  ];
  const rows = files.map(({ file, read, accepted, warned, rejected }) => {
    return [file, ...[read, accepted, warned, rejected].map(formatNumber)];
  });
  return [table('Rows by file', columns, rows)];
}

function notes({ notes: texts }: Report): readonly Block[] {
  return texts.length === 0 ? [] : [heading(2, 'Notes'), list(texts)];
}

function identity(report: Report): readonly Block[] {
  const { dataSets, dataVersion } = report;
  const releases = dataSets.flatMap(({ dataSet, releaseId }): readonly Text[] =>
    releaseId === null ? [] : [[`Release of ${dataSet}: `, { code: releaseId }]],
  );
  const version: readonly Text[] = dataVersion === null ? [] : [['Data version: ', { code: dataVersion }]];
  return [heading(2, 'Identity'), list([...releases, ...version, `Time taken: ${seconds(report)}`])];
}

function howToConfirm(report: Report): readonly Block[] {
  const sentences = confirmation(report);
  if (sentences.length === 0) return [];
  return [
    heading(2, 'How to confirm it'),
    paragraph('Do this only if everything under "Why it is held" is correct.'),
    ...sentences.map(paragraph),
  ];
}
