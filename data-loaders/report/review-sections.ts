// The report sections that a person should check: quality warnings, holds and uncategorized uses.

import { type Block, heading, list, paragraph, type Text } from '../../shared/documents/document';
import { holdReasons } from '../format/hold-reasons';
import { qualityWarnings } from '../format/quality-warnings';
import type { DataSetOutcome, Hold, Report, UncategorizedUse } from '../format/report';
import { formatCount, formatNumber } from '../format/report-numbers';
import { identityTable } from './identity-table';
import { exampleText, getDataSetTitle, valueText } from './phrases';
import { rowsForReview } from './rule-sections';

export function warnings(report: Report): readonly Block[] {
  const blocks = [
    ...report.dataSets.flatMap((dataSet) =>
      dataSet.qualityWarnings.flatMap((warning) =>
        lookAt(dataSet, warning, warning.name, qualityWarnings[warning.name].advice),
      ),
    ),
    ...rowsForReview(report),
  ];
  if (blocks.length === 0) return [];
  return [
    heading(2, 'What a person should look at'),
    paragraph('None of this blocks publication, but please check it: there is often a mistake.'),
    ...blocks,
  ];
}

export function uncategorizedUses(report: Report): readonly Block[] {
  const uses = report.dataSets.flatMap((dataSet) => dataSet.uncategorizedUses);
  if (uses.length === 0) return [];
  const unknown = uses.filter(({ primaryUse }) => primaryUse === null);
  const known = uses.filter(({ primaryUse }) => primaryUse !== null);
  return [
    heading(2, 'Uses without a USGS category'),
    paragraph(
      'Searches by USGSCategoryNameCV do not find records by these uses. If one of the eight categories fits, write it in beneficialuses.csv.',
    ),
    list([
      ...useItem('Terms that our table of uses does not list', unknown),
      ...useItem('Terms in the table, but in none of the eight categories', known),
    ]),
  ];
}

/** A warning or hold with its examples. `name` is the name of the warning or of the hold reason. */
function lookAt(
  dataSet: DataSetOutcome,
  { sentence, examples, count }: Pick<Hold, 'sentence' | 'examples' | 'count'>,
  name: string,
  advice: string,
): readonly Block[] {
  const texts = examples.map(exampleText);
  const remarks = texts.every((text) => text.length === 0) ? undefined : texts;
  const identities = examples.map(({ identity }) => identity);
  const shown = identities.length < count ? `The first ${identities.length}` : `All ${formatNumber(count)}`;
  return [
    paragraph([{ strong: `${getDataSetTitle(dataSet)}: ${sentence}` }, ' (', { code: name }, ')']),
    ...identityTable(count === 1 ? 'It is' : shown, identities, remarks),
    paragraph(advice),
  ];
}

/** Describes what must be confirmed and how, or what was confirmed (D64). */
export function holds(report: Report): readonly Block[] {
  const blocks = report.dataSets.flatMap((dataSet) =>
    dataSet.holds.flatMap((hold) => lookAt(dataSet, hold, hold.reason, holdReasons[hold.reason].look)),
  );
  if (blocks.length === 0) return [];
  const isPublished = report.verdict === 'published';
  const introduction = isPublished
    ? 'This is probably wrong. It was published because someone confirmed it.'
    : 'This is probably wrong. If it is, fix the files and send them again. If it is right, confirm it.';
  return [heading(2, isPublished ? 'What was confirmed' : 'Why it is held'), paragraph(introduction), ...blocks];
}

function useItem(title: string, uses: readonly UncategorizedUse[]): readonly Text[] {
  if (uses.length === 0) return [];
  const texts = uses.flatMap(({ use, records }, index) => {
    return [index === 0 ? ' ' : ', ', valueText(use), ` (${formatCount(records, 'record')})`];
  });
  return [[`${title}:`, ...texts, '.']];
}
