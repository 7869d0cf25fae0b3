// The parts of docs/submitting.md that say files, columns, rules and smells: they are made from the loader's
// declarations. The page is for whoever prepares a submission.

import { amountsFiles, lookupFiles } from '../../data-loaders/format/submission-files';
import { FILLER_TEXTS, type ColumnType, type FileColumn, type SubmissionFile } from '../../data-loaders/format/column';
import { rules, qualityWarnings } from '../../data-loaders/format/rules';
import { metadataMembers } from '../../data-loaders/format/submitted-files';
import { percent } from '../../data-loaders/format/report';
import { table } from '../../data-loaders/report/report-text';
import { readSettings } from '../../shared/settings';

/** The limit of a service whose operator set none. */
const REJECTED_SHARE_LIMIT = readSettings({}, '/').rejectedShareLimit;

const AT_SITES = 'amounts at sites, allocations';

/** In the order in which a submitter prepares them; `rowIs` ends the sentence that begins with "A row is". */
const files: readonly (readonly [file: SubmissionFile, rowIs: string, neededBy: string])[] = [
  [lookupFiles.organizations, 'the organization that submits', 'all'],
  [lookupFiles.variables, 'what is measured, with its unit, statistic and interval', 'all'],
  [lookupFiles.methods, 'how amounts came about', 'all'],
  [lookupFiles.watersources, 'a river, reservoir or aquifer', 'all whose rows name one'],
  [lookupFiles.sites, 'a place where water is measured, taken or used', AT_SITES],
  [lookupFiles.relations, 'a point of diversion and a place of use that belong together', AT_SITES],
  [lookupFiles.reportingunits, 'an area that amounts are summed up for', 'aggregated amounts'],
  [lookupFiles.beneficialuses, 'a use in your words, with its categories', 'none; it is optional'],
  [amountsFiles.SiteVariableAmounts, 'an amount at a site over a timeframe', 'the data set SiteVariableAmounts'],
  [amountsFiles.AggregatedAmounts, 'an amount of a reporting unit over a timeframe', 'the data set AggregatedAmounts'],
  [amountsFiles.WaterAllocations, 'a water right', 'the data set WaterAllocations'],
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
  identifiers: 'list, separated by commas',
};

/** What `<!-- made: NAME -->` begins and `<!-- end -->` ends in the page. */
const MADE_PART = /(<!-- made: (\w+) -->)[^]*?(<!-- end -->)/g;

/** The page as it stands, with its made parts anew; all around them is written by hand. */
export function submittingDocument(page: string): string {
  const parts = madeParts();
  return page.replace(MADE_PART, (_, start: string, name: string, end: string) => {
    const part = parts[name];
    if (part === undefined) throw new Error(`no part of the page is called ${name}`);
    return `${start}${typeof part === 'string' ? part : `\n${part.join('\n')}\n`}${end}`;
  });
}

/** A text stands within a line, lines stand by themselves. */
function madeParts(): Readonly<Record<string, string | readonly string[]>> {
  const metadata = Object.entries(metadataMembers).map(([name, { meaning, must }]) => [`\`${name}\``, meaning, must]);
  const smells = Object.entries(qualityWarnings).map(([name, { meaning, advice }]) => [`\`${name}\``, meaning, advice]);
  return {
    package: packageTable(),
    metadata: table(['Member', 'What it says', 'It must be'], metadata),
    rejectedShare: percent(REJECTED_SHARE_LIMIT),
    fillerTexts: FILLER_TEXTS.join(', '),
    files: fileSections(),
    rejections: ruleSections('rejected'),
    warnings: ruleSections('warned'),
    smells: table(['Name', 'When', 'What to do'], smells),
  };
}

/** The anchor that GitHub gives a file's heading is its name without the dot. */
function packageTable(): readonly string[] {
  return table(
    ['File', 'A row is', 'Needed by'],
    files.map(([{ name }, rowIs, neededBy]) => [`[${name}](#${name.replace('.', '')})`, rowIs, neededBy]),
  );
}

function fileSections(): readonly string[] {
  return files.flatMap(([file, rowIs]) => [
    `### ${file.name}`,
    '',
    `A row is ${rowIs}.`,
    ...table(['Column', 'Holds', 'Required', 'Older names'], Object.entries(file.columns).map(columnCells)),
  ]);
}

function columnCells([name, column]: readonly [string, FileColumn]): readonly string[] {
  const holds = `${typeTexts[column.type]}${column.isVocabulary ? ' of a vocabulary' : ''}`;
  const olderNames = column.synonyms.map((synonym) => `\`${synonym}\``).join(', ');
  return [`\`${name}\``, holds, column.isRequired ? 'yes' : '', olderNames];
}

function ruleSections(severity: 'rejected' | 'warned'): readonly string[] {
  return Object.entries(rules).flatMap(([name, rule]) =>
    rule.severity === severity
      ? [`### ${name}`, '', rule.sentence, '', `- How to mend it: ${rule.mend}`, `- Example: ${rule.example}`, '']
      : [],
  );
}
