// The part of docs/submitting.md that lists each file with each column, from the loader's own declarations.

import { DATA_SET_KINDS } from '../../shared/records/data-sets';
import { amountsFiles } from '../../data-loaders/format/amount-files';
import type { Column, ColumnType, SubmissionFile } from '../../data-loaders/format/column';
import {
  beneficialUsesFile,
  methodsFile,
  organizationsFile,
  relationsFile,
  reportingUnitsFile,
  sitesFile,
  variablesFile,
  waterSourcesFile,
} from '../../data-loaders/format/lookup-files';
import { table } from '../../data-loaders/report/markdown-text';

interface DescribedFile {
  readonly file: SubmissionFile;
  /** What a row is. */
  readonly rowIs: string;
  readonly neededBy: string;
}

const AT_SITES = 'amounts at sites, allocations';

/** In the order in which a submitter prepares them. */
const files: readonly DescribedFile[] = [
  { file: organizationsFile, rowIs: 'the organization that submits', neededBy: 'all' },
  { file: variablesFile, rowIs: 'what is measured, with its unit, statistic and interval', neededBy: 'all' },
  { file: methodsFile, rowIs: 'how amounts came about', neededBy: 'all' },
  { file: waterSourcesFile, rowIs: 'a river, reservoir or aquifer', neededBy: 'all whose rows name one' },
  { file: sitesFile, rowIs: 'a place where water is measured, taken or used', neededBy: AT_SITES },
  { file: relationsFile, rowIs: 'a point of diversion and a place of use that belong together', neededBy: AT_SITES },
  { file: reportingUnitsFile, rowIs: 'an area that amounts are summed up for', neededBy: 'aggregated amounts' },
  { file: beneficialUsesFile, rowIs: 'a use in your words, with its categories', neededBy: 'none; it is optional' },
  { file: amountsFiles.SiteVariableAmounts, rowIs: 'an amount at a site over a timeframe', neededBy: dataSet(0) },
  {
    file: amountsFiles.AggregatedAmounts,
    rowIs: 'an amount of a reporting unit over a timeframe',
    neededBy: dataSet(1),
  },
  { file: amountsFiles.WaterAllocations, rowIs: 'a water right', neededBy: dataSet(2) },
];

const typeTexts: Readonly<Record<ColumnType, string>> = {
  text: 'text',
  identifier: 'identifier',
  huc8: '8 digits',
  huc12: '12 digits',
  state: 'two-letter state',
  number: 'number',
  date: 'date',
  boolean: '1 or 0',
  list: 'list, separated by commas',
};

export function packageTable(): readonly string[] {
  return table(
    ['File', 'A row is', 'Needed by'],
    files.map(({ file, rowIs, neededBy }) => [`[${file.name}](#${anchorOf(file)})`, rowIs, neededBy]),
  );
}

export function fileSections(): readonly string[] {
  return files.flatMap(({ file, rowIs }) => [
    `### ${file.name}`,
    '',
    `A row is ${rowIs}.`,
    ...table(['Column', 'Holds', 'Required', 'Older names'], Object.entries(file.columns).map(columnCells)),
  ]);
}

function columnCells([name, column]: readonly [string, Column]): readonly string[] {
  const holds = `${typeTexts[column.type]}${column.isVocabulary ? ' of a vocabulary' : ''}`;
  const olderNames = column.synonyms.map((synonym) => `\`${synonym}\``).join(', ');
  return [`\`${name}\``, holds, column.isRequired ? 'yes' : '', olderNames];
}

function dataSet(index: number): string {
  return `the data set ${DATA_SET_KINDS[index] ?? ''}`;
}

/** As GitHub makes them of headings. */
function anchorOf({ name }: SubmissionFile): string {
  return name.replace('.', '');
}
