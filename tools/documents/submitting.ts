// docs/submitting.md: the format for whoever prepares a submission. Files, columns, rules and smells come from the
// loader's declarations.

import { amountsFiles } from '../../data-loaders/format/amount-files';
import { FILLER_TEXTS } from '../../data-loaders/format/cells';
import type { FileColumn, ColumnType, SubmissionFile } from '../../data-loaders/format/column';
import { lookupFiles } from '../../data-loaders/format/lookup-files';
import { rules } from '../../data-loaders/format/rules';
import { smellTexts } from '../../data-loaders/format/smell-texts';
import { METADATA_FILE, metadataMembers } from '../../data-loaders/format/submission-metadata';
import { percent } from '../../data-loaders/format/report';
import { table } from '../../data-loaders/report/markdown-text';
import type { DataSetKind } from '../../shared/records/data-sets';
import { readSettings } from '../../shared/settings';

/** The limit of a service whose operator set none. */
const REJECTED_SHARE_LIMIT = readSettings({}, '/').rejectedShareLimit;

const AT_SITES = 'amounts at sites, allocations';

/** In the order in which a submitter prepares them; `rowIs` ends the sentence that begins with "A row is". */
const files: readonly { readonly file: SubmissionFile; readonly rowIs: string; readonly neededBy: string }[] = [
  { file: lookupFiles.organizations, rowIs: 'the organization that submits', neededBy: 'all' },
  { file: lookupFiles.variables, rowIs: 'what is measured, with its unit, statistic and interval', neededBy: 'all' },
  { file: lookupFiles.methods, rowIs: 'how amounts came about', neededBy: 'all' },
  { file: lookupFiles.watersources, rowIs: 'a river, reservoir or aquifer', neededBy: 'all whose rows name one' },
  { file: lookupFiles.sites, rowIs: 'a place where water is measured, taken or used', neededBy: AT_SITES },
  {
    file: lookupFiles.relations,
    rowIs: 'a point of diversion and a place of use that belong together',
    neededBy: AT_SITES,
  },
  { file: lookupFiles.reportingunits, rowIs: 'an area that amounts are summed up for', neededBy: 'aggregated amounts' },
  {
    file: lookupFiles.beneficialuses,
    rowIs: 'a use in your words, with its categories',
    neededBy: 'none; it is optional',
  },
  amountsOf('SiteVariableAmounts', 'an amount at a site over a timeframe'),
  amountsOf('AggregatedAmounts', 'an amount of a reporting unit over a timeframe'),
  amountsOf('WaterAllocations', 'a water right'),
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

const INTRODUCTION = `
<!-- Made by "npm run documents" from the loader's declarations. Change those, not this page. -->

# Submitting data

This page is for whoever prepares a state's data. It says what a submission is, lists every file with every column, and explains every
reason for which a row is rejected or warned for.

## The package

A submission is one folder of CSV files of one organization. File names are fixed and lower case; a file that is missing has no rows.
Each of the last three files makes one data set; send the ones you have data for.
`;

const READY = `
Beside them may stand \`${METADATA_FILE}\`, such as \`{"mode": "replace", "contact": "data@example.org", "note": "third quarter"}\`. A
submission waits until this file or an empty file \`READY\` is there, so put it into the folder last.
`;

const MODES = `
Other members are named in the report and not read. Whoever lists the releases sees what you wrote. A \`merge\` keeps the terms, licence and citation of
what it is laid over, unless it has its own; \`null\` takes them away.

- \`replace\`: each data set that has an amounts file in the folder takes the place of what was published.
- \`merge\`: the rows are laid over what is published. A row whose key is published already replaces that record; all others are added.
  A column \`Delete\` with a true value removes the record of that key; only the columns of the key need to be filled then. What other rows
  still refer to cannot be deleted.

All or nothing: readers see the old data set or the new one, never a mixture. A submission is refused whole when it names no organization or more
than one, when none of its amounts can be taken, or when more than ${percent(REJECTED_SHARE_LIMIT)} of the rows of an amounts file are rejected
(unless the operator set another limit). The same files again change nothing.

## Cells

- Comma-separated, cells with commas, quotes or line breaks in double quotes. UTF-8; a file that is not valid UTF-8 is read as Windows-1252. Other
  files of the folder are listed in the report and not read.
- Column names may be in any letter case; columns that are not listed here are ignored and named in the report.
- An empty cell is unknown. So are, where a column is not required, these texts, in any letter case:
  ${FILLER_TEXTS.join(', ')}.
- **Dates** are \`2020-12-31\` or \`12/31/2020\` (month first). A time of day behind them is dropped.
- **Numbers** are digits with a decimal point or an exponent, without unit and thousands separator. Zero and negative amounts are data.
- **1 or 0** may also be true or false, yes or no.
- **Lists** are texts separated by commas, so no item has a comma of its own.
- **Identifiers** are compared exactly, letter case too. Format their columns as text in a spreadsheet, or it takes away leading zeros
  and digits.
- **Coordinates** are decimal degrees (WGS 84), geometries well-known text in degrees, longitude before latitude.
- **Vocabulary** terms may be in any letter case; the answer keeps what you wrote.

## Keys

No two rows of a file have the same key.

- An allocation is named by its AllocationUUID, or else by its AllocationNativeID.
- An amount is told apart by organization, site or reporting unit, variable, water source, method, both timeframe dates, report year, primary use, the set
  of uses and the community water supply system.
- Rows of the other files are named by their first required column; relations by both sites and both dates.

## Files
`;

const REPORT = `
## The report

After a run the folder lies in \`accepted/\` or \`refused/\` with a report: \`report.md\` for people, \`report.json\` for programs
([schema](report.schema.json)) and, for each file with rejected rows, these rows with the reason in their last columns: \`sites.rejected.csv\` for
\`sites.csv\`. Mend the rows there, give the file the name of the original, and send it as a \`merge\`. The verdict is one of:

- \`published\`: readers are answered from this submission now.
- \`unchanged\`: the same was published before.
- \`refused\`: nothing was published; the sentence says why.
- \`would-publish\`: a dry run would have published it.
`;

const SMELLS = `
## What a person should look at

The report compares each data set with its former release. Nothing of the following keeps it from being published.
`;

export function submittingDocument(): string {
  const lines = [
    INTRODUCTION.trim(),
    ...packageTable(),
    READY.trim(),
    ...table(
      ['Member', 'What it says', 'It must be'],
      Object.entries(metadataMembers).map(([name, { meaning, must }]) => [`\`${name}\``, meaning, must]),
    ),
    MODES.trim(),
    '',
    ...fileSections(),
    REPORT.trim(),
    '',
    '## Why a row is rejected',
    '',
    'A rejected row is not published. It never takes another row with it.',
    '',
    ...ruleSections('rejected'),
    '## What a row is warned for',
    '',
    'A row with a warning is published.',
    '',
    ...ruleSections('warned'),
    SMELLS.trim(),
    ...table(
      ['Name', 'When', 'What to do'],
      Object.entries(smellTexts).map(([name, { meaning, advice }]) => [`\`${name}\``, meaning, advice]),
    ),
  ];
  return `${lines.join('\n').trimEnd()}\n`;
}

function amountsOf(kind: DataSetKind, rowIs: string): (typeof files)[number] {
  return { file: amountsFiles[kind], rowIs, neededBy: `the data set ${kind}` };
}

/** The anchor that GitHub gives a file's heading is its name without the dot. */
function packageTable(): readonly string[] {
  return table(
    ['File', 'A row is', 'Needed by'],
    files.map(({ file: { name }, rowIs, neededBy }) => [`[${name}](#${name.replace('.', '')})`, rowIs, neededBy]),
  );
}

function fileSections(): readonly string[] {
  return files.flatMap(({ file, rowIs }) => [
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
