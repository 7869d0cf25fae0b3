// The sections of the Markdown report on what a person should check: quality warnings, holds and uncategorized uses.

import { holdReasons } from '../format/hold-reasons';
import { qualityWarnings } from '../format/quality-warnings';
import type { DataSetOutcome, Hold, Report, UncategorizedUse } from '../format/report';
import { formatCount } from '../format/report-numbers';
import { identityTable } from './identity-table';
import { code, section } from './markdown';
import { exampleText, titleOf } from './phrases';
import { rowsForReview } from './rule-sections';

export function warnings(report: Report): readonly string[] {
  return section('What a person should look at', 'These warnings do not block publication. Check them first.', [
    ...report.dataSets.flatMap((dataSet) =>
      dataSet.qualityWarnings.flatMap((warning) =>
        lookAt(dataSet, warning, warning.name, qualityWarnings[warning.name].advice),
      ),
    ),
    ...rowsForReview(report),
  ]);
}

export function uncategorizedUses(report: Report): readonly string[] {
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

/** One warning or hold with its examples. `name` is the name of the warning or the reason. */
function lookAt(
  dataSet: DataSetOutcome,
  { sentence, examples }: Pick<Hold, 'sentence' | 'examples'>,
  name: string,
  advice: string,
): readonly string[] {
  const texts = examples.map(exampleText);
  const remarks = texts.every((text) => text === '') ? undefined : texts;
  const identities = examples.map(({ identity }) => identity);
  return [
    `**${titleOf(dataSet)}: ${sentence}** (\`${name}\`) ${advice}`,
    '',
    ...identityTable('Of these', identities, remarks),
  ];
}

/** What somebody has to confirm, or has confirmed, and how (D64). */
export function holds(report: Report): readonly string[] {
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

function useList(title: string, uses: readonly UncategorizedUse[]): readonly string[] {
  if (uses.length === 0) return [];
  return [
    `- ${title}: ${uses.map(({ use, records }) => `${code(use)} (${formatCount(records, 'record')})`).join(', ')}.`,
  ];
}
