// docs/submitting.md: the format for whoever prepares a submission. Columns, rules and smells come from the loader's declarations.

import { FILLER_TEXTS } from '../../data-loaders/format/cells';
import { METADATA_FILE, metadataMembers } from '../../data-loaders/format/submission-metadata';
import { table } from '../../data-loaders/report/markdown-text';
import { rules } from '../../data-loaders/format/rules';
import { smellTexts } from '../../data-loaders/format/smell-texts';
import { readSettings } from '../../shared/settings';
import { percent } from '../../data-loaders/format/wording';
import { fileSections, packageTable } from './submission-files';

/** Of a service whose operator has set nothing. */
const REJECTED_SHARE_LIMIT = readSettings({}, '/').rejectedShareLimit;

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

function ruleSections(severity: 'rejected' | 'warned'): readonly string[] {
  return Object.entries(rules).flatMap(([name, rule]) =>
    rule.severity === severity
      ? [`### ${name}`, '', rule.sentence, '', `- How to mend it: ${rule.mend}`, `- Example: ${rule.example}`, '']
      : [],
  );
}
