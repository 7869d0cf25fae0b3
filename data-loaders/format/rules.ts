// The rules for rows of a submission (submissions.md, 3 and 4). Each has texts for the submitter: what is wrong, how to
// fix it, and an example. Reports count findings by rule name, and scripts rely on these names.

export interface Rule {
  /** A `noted` rule applies to a file as a whole, not to a row. */
  readonly severity: 'rejected' | 'warned' | 'noted';
  /** Whether a `noted` rule is listed once per column, with the column's first value. */
  readonly isPerColumn?: true;
  /** Whether the rows are listed in the section of things to check instead of among the warnings. */
  readonly isForReview?: true;
  readonly sentence: string;
  /** How the submitter can fix it. */
  readonly fix: string;
  /** An example of a wrong text in a file, and the corrected text. */
  readonly example: string;
}

type RuleMaker = (text: Omit<Rule, 'severity' | 'isPerColumn' | 'isForReview'>) => Rule;

const rejected: RuleMaker = (text) => ({ severity: 'rejected', ...text });
const warned: RuleMaker = (text) => ({ severity: 'warned', ...text });
const warnedForReview: RuleMaker = (text) => ({ severity: 'warned', isForReview: true, ...text });
const noted: RuleMaker = (text) => ({ severity: 'noted', ...text });
const notedPerColumn: RuleMaker = (text) => ({ severity: 'noted', isPerColumn: true, ...text });

export const rules = {
  'missing-column': rejected({
    sentence: 'The file lacks a column that every row needs, so none of its rows can be read.',
    fix: 'Add the column to the header and fill it in every row, or correct the spelling of its name.',
    example: 'The header is `SiteUUID,TimeframeStart,Value`: rename `Value` to `Amount`.',
  }),
  'cell-count': rejected({
    sentence:
      'The row does not have as many cells as the header; a line break, or a quote that is not closed, may be the cause.',
    fix: 'Put cells that contain a comma, a quote or a line break in double quotes, and double each quote inside them.',
    example: '`S1,Smith, John,12.5` has one cell too many: write `S1,"Smith, John",12.5`.',
  }),
  'broken-csv': rejected({
    sentence:
      'The row is not readable as CSV: it opens a quote that is not closed, or is closed only after more than 10,000 lines or 1 MB.',
    fix: 'Close the quote that is open, or remove it; double each quote inside a quoted cell.',
    example: '`S1,"Upper headgate,12.5` opens a quote: write `S1,"Upper headgate",12.5`.',
  }),
  'required-empty': rejected({
    sentence: 'A cell that every row needs is empty.',
    fix: 'Fill in the cell, or leave the whole row out.',
    example: '`Amount` is empty: write the amount, and 0 only if 0 was measured.',
  }),
  'required-unreadable': rejected({
    sentence: 'A cell that every row needs cannot be read.',
    fix:
      'Write numbers with only digits and a decimal point: no unit, decimal comma or thousands separator. Write a state as ' +
      'two letters.',
    example: '`Amount` is `1,250 AF`: write `1250`.',
  }),
  'unknown-organization': rejected({
    sentence: 'organizations.csv has no accepted row with this OrganizationUUID.',
    fix: 'Write the OrganizationUUID exactly as in organizations.csv, including letter case, or fix the row there.',
    example: '`OrganizationUUID` is `utwr` and organizations.csv has `UTwr`: write `UTwr`.',
  }),
  'unknown-site': rejected({
    sentence: 'sites.csv has no accepted row with this SiteUUID.',
    fix: 'Add the site to sites.csv, or write its SiteUUID exactly as there, including letter case.',
    example: '`SiteUUID` is `UT_S99` and sites.csv has no such row: add it there.',
  }),
  'unknown-reporting-unit': rejected({
    sentence: 'reportingunits.csv has no accepted row with this ReportingUnitUUID.',
    fix: 'Add the reporting unit to reportingunits.csv, or write its ReportingUnitUUID exactly as there.',
    example: '`ReportingUnitUUID` is `NM_RU099` and reportingunits.csv ends with `NM_RU033`: add the missing unit.',
  }),
  'unknown-variable': rejected({
    sentence: 'variables.csv has no accepted row with this VariableSpecificUUID.',
    fix: 'Add the variable to variables.csv, or write its VariableSpecificUUID exactly as there.',
    example: '`VariableSpecificUUID` is `V1` and variables.csv has `UT_V1`: write `UT_V1`.',
  }),
  'unknown-method': rejected({
    sentence: 'methods.csv has no accepted row with this MethodUUID.',
    fix: 'Add the method to methods.csv, or write its MethodUUID exactly as there.',
    example: '`MethodUUID` is `M2` and methods.csv has only `M1`: add `M2` there.',
  }),
  'duplicate-identifier': rejected({
    sentence: 'An earlier row has the same identifier. The first one was kept.',
    fix: 'Remove one of the two rows, or give the second row its own identifier.',
    example: 'Lines 4 and 9 of sites.csv both have the `SiteUUID` `UT_S7`: keep the right one.',
  }),
  'duplicate-amount': rejected({
    sentence: 'An earlier row has the same key. The first one was kept.',
    fix:
      'Remove one of the two rows, or correct the values that identify them: site or reporting unit, variable, water source, method, ' +
      'timeframe, report year, uses and water system of an amount; the identifier of an allocation.',
    example: 'Lines 12 and 13 give two amounts for one site, variable and year: keep the right one.',
  }),
  'relation-without-site': rejected({
    sentence: 'A site of the relation is not in sites.csv.',
    fix: 'Add the site to sites.csv, or remove the relation.',
    example: '`POUSiteUUID` is `UT_S99` and sites.csv has no such row: add it there.',
  }),
  'duplicate-relation': rejected({
    sentence: 'An earlier row relates the same sites over the same dates.',
    fix: 'Remove the second row.',
    example: 'Lines 3 and 8 both relate `UT_S1` to `UT_S2` without dates: keep one.',
  }),
  'no-identifier': rejected({
    sentence: 'The row has neither an AllocationUUID nor an AllocationNativeID.',
    fix: "Enter your office's number for the right in AllocationNativeID.",
    example: '`AllocationNativeID` is `Unknown`, which counts as empty: write the number, such as `35-8031`.',
  }),
  'nothing-to-delete': rejected({
    sentence: 'The row deletes something that is not published.',
    fix: 'Remove the row, or correct its key to that of the published record.',
    example: '`Delete` is `1` for the `SiteUUID` `UT_S99`, which was never published: remove the row.',
  }),
  'still-referred': rejected({
    sentence: 'The row deletes a site, a method or another item that other rows still refer to.',
    fix: 'Delete the rows that refer to it in the same submission, or leave it in place.',
    example: '`Delete` is `1` for the method `M1`, but amounts still refer to `M1`: delete those amounts too.',
  }),
  'projected-system': rejected({
    sentence:
      'EPSGCodeCV specifies a coordinate system other than WGS 84 (4326), and the coordinates are in that system.',
    fix: 'Convert Longitude, Latitude and Geometry to degrees of WGS 84, and write 4326 as EPSGCodeCV.',
    example:
      '`EPSGCodeCV` is `26912` (UTM), `Longitude` is `431250.5` and `Latitude` is `4512345.2`: write `4326`, `-111.8145` and `40.7592`.',
  }),
  'unreadable-delete': rejected({
    sentence: 'The cell Delete is neither true nor false.',
    fix: 'Write 1 in rows that remove a record, and leave the cell empty in all others.',
    example: '`Delete` is `x`: write `1`.',
  }),
  'unreadable-date': warned({
    sentence: 'The date could not be read and was left out: write YYYY-MM-DD or M/D/YYYY.',
    fix: 'Write the date as YYYY-MM-DD. In a date with slashes, the month comes first.',
    example: '`TimeframeStart` is `Dec 31, 2020`: write `2020-12-31`.',
  }),
  'two-digit-year': warned({
    sentence: 'The year has two digits and is read as a year from 1930 to 2029.',
    fix: 'Write the year with four digits, as in YYYY-MM-DD; a year before 1930 cannot be written with two.',
    example:
      '`AllocationPriorityDate` is `3/4/02` and is read as `2002-03-04`: if the right is from 1902, write `1902-03-04`.',
  }),
  'day-first-date': warned({
    sentence: 'The date has its day before its month, so it was left out.',
    fix: 'Write every date of the column as YYYY-MM-DD; dates with a day up to 12 were read with the month first.',
    example: '`TimeframeStart` is `31/12/2020`: write `2020-12-31`.',
  }),
  'serial-day': warned({
    sentence: 'The date is a number, as a spreadsheet counts days from 1900, and is left out.',
    fix: 'Format the column as dates (YYYY-MM-DD) in the spreadsheet, and save it as CSV again.',
    example: '`TimeframeStart` is `44197`: write `2021-01-01`.',
  }),
  'unreadable-number': warned({
    sentence: 'The number could not be read and was left out: write only digits, with a point before decimals.',
    fix: 'Write only digits and a decimal point, without unit or thousands separator, or leave the cell empty.',
    example: '`IrrigatedAcreage` is `1,200 acres`: write `1200`.',
  }),
  'decimal-comma': warned({
    sentence: 'The number has a comma where its decimal point belongs, and is left out.',
    fix: 'Write a decimal point; spreadsheets do so if their region is the United States.',
    example: '`AllocationFlow_CFS` is `1,25`: write `1.25`.',
  }),
  'negative-amount': warned({
    sentence: 'The amount is below zero; it is published as submitted.',
    fix: 'Nothing to do if the water flowed the other way, such as an export. Leave the row out if the number means a missing amount.',
    example: '`Amount` is `-9999`: leave the row out.',
  }),
  'unreadable-boolean': warned({
    sentence: 'The value is neither true nor false and is left out: write 1 or 0.',
    fix: 'Write 1, true or yes; 0, false or no; or leave the cell empty.',
    example: '`ExemptOfVolumeFlowPriority` is `exempt`: write `1`.',
  }),
  'impossible-number': warned({
    sentence: 'The number is larger than any quantity of water, land or people; it is published as submitted.',
    fix: 'Some programs write a missing number this way. Leave the cell empty. If the amount is missing, leave out the row.',
    example: '`Amount` is `-1.797E+308`: leave the row out.',
  }),
  'lost-digits': warned({
    sentence: 'A spreadsheet has rounded this identifier; it is left out: format the column as text.',
    fix: 'Copy the identifier from its source again, into a column that is formatted as text.',
    example: '`HUC12` is `1.60102E+11`: write `160102020305`.',
  }),
  'garbled-text': warnedForReview({
    sentence: 'The text was probably damaged before it was submitted; it is published as it is.',
    fix: 'Correct the text in its source, and export it as UTF-8.',
    example: '`SiteName` is `DoÃ±a Ana`: write `Doña Ana`.',
  }),
  'not-hydrologic-unit': warned({
    sentence:
      'The code does not have the eight digits of a HUC8 or the twelve of a HUC12; it is published as submitted.',
    fix: 'Write the code of the hydrologic unit with all its digits, or leave the cell empty.',
    example: '`HUC8` is `160102`: write `16010203`.',
  }),
  'unknown-state': warned({
    sentence: 'StateCV is not the abbreviation or name of a state; it is published as submitted.',
    fix: 'Write the two-letter abbreviation of the state.',
    example: '`StateCV` is `Utha`: write `UT`.',
  }),
  'long-text': warned({
    sentence: 'The text has more than 10,000 characters; only the first 10,000 are published.',
    fix: 'Shorten the text, or give the web address of a longer one; a quote that is not closed may be the cause.',
    example: '`County` has the text of a whole document: write `Cache`.',
  }),
  'no-point': warned({
    sentence:
      'Longitude and Latitude are not a point on Earth: they may be swapped, or not in degrees. Searches by boundary do not find the site by them.',
    fix: 'Swap the two cells if the report says that they look swapped. Otherwise write decimal degrees (WGS 84); in the western states longitudes are negative.',
    example:
      '`Longitude` is `40.7592` and `Latitude` is `-111.8252`: swap them. `Longitude` is `-1118.252`: write `-111.8252`.',
  }),
  'near-pole': warned({
    sentence: 'The latitude is within 5 degrees of a pole, which maps do not show; it is published as submitted.',
    fix: 'Check Latitude and Geometry: a default value may have become 90, or the coordinates may be swapped.',
    example: '`Latitude` is `90`: write `40.7592`, or leave Longitude and Latitude empty if you do not know them.',
  }),
  'projected-coordinates': warned({
    sentence:
      'The coordinates are projected, such as UTM meters, not degrees; searches by boundary do not find the place by them.',
    fix: 'Convert Longitude, Latitude and Geometry to degrees of WGS 84, and write 4326 as EPSGCodeCV.',
    example: '`Longitude` is `431250.5` and `Latitude` is `4512345.2`: write `-111.8145` and `40.7592`.',
  }),
  'other-system': noted({
    sentence:
      'EPSGCodeCV specifies a coordinate system other than WGS 84 (4326), but the coordinates are degrees, and are published as WGS 84.',
    fix:
      'Write 4326 if they are in WGS 84. NAD83 (4269) differs by less than two meters; convert coordinates in NAD27 ' +
      '(4267), which differs by up to a hundred meters.',
    example: '`EPSGCodeCV` is `4269`: write `4326`.',
  }),
  'unusable-geometry': warned({
    sentence: 'The geometry is kept as text, but boundary searches cannot use it.',
    fix: 'Write well-known text in degrees, longitude before latitude, each ring ending where it starts.',
    example: '`POLYGON ((-112 41, -111 41, -111 42))` is open: write `POLYGON ((-112 41, -111 41, -111 42, -112 41))`.',
  }),
  'unknown-water-source': warned({
    sentence: 'watersources.csv has no accepted row with this WaterSourceUUID; the reference is left out.',
    fix: 'Add the water source to watersources.csv, or write its WaterSourceUUID exactly as there.',
    example: '`WaterSourceUUID` is `WS9` and watersources.csv has no such row: add it there.',
  }),
  'unknown-site-in-list': warned({
    sentence: 'sites.csv has no accepted row with this SiteUUID; it is dropped from the list.',
    fix: 'Add the site to sites.csv, or write its SiteUUID exactly as there.',
    example: '`SiteUUID` is `OK_S1,OK_S99` and sites.csv has no `OK_S99`: add it there.',
  }),
  'reversed-timeframe': warned({
    sentence: 'TimeframeStart is after TimeframeEnd; both are kept as submitted.',
    fix: 'Swap the two dates, or correct the date that is wrong.',
    example: '`TimeframeStart` is `2015-12-31` and `TimeframeEnd` is `2015-01-01`: swap them.',
  }),
  'without-site': warned({
    sentence: 'The allocation has no site, so no search by place finds it.',
    fix: 'Write the SiteUUID of its point of diversion. If there are several, separate them by commas.',
    example: '`SiteUUID` is empty: write `OK_S1,OK_S2`.',
  }),
  'letter-case': warned({
    sentence: 'Other rows have the same term in another letter case; searches treat both as one term.',
    fix: 'Spell the term the same way everywhere.',
    example: '`irrigation` where other rows have `Irrigation`: write `Irrigation`.',
  }),
  'other-organization': warned({
    sentence: 'No amount refers to this organization, so it is ignored.',
    fix: 'Nothing to do. To get rid of the warning, remove the row.',
    example: 'organizations.csv lists `UTwr` and `UTdwq`, and all amounts refer to `UTwr`.',
  }),
  'no-position': notedPerColumn({
    sentence: 'Some sites have neither coordinates nor a geometry, so searches by boundary do not find them.',
    fix: 'Write Longitude and Latitude in decimal degrees if they are known.',
    example: '`Longitude` and `Latitude` are empty: write `-111.8252` and `40.7592`.',
  }),
  'short-row': notedPerColumn({
    sentence:
      'Rows lack cells at their end, which is how spreadsheets save empty cells; these cells are read as empty.',
    fix: 'Nothing to do if the cells are empty in the source.',
    example: 'The header has ten columns and the row `S1,V1,M1,12.5` four cells: the other six are read as empty.',
  }),
  'missing-text': notedPerColumn({
    sentence: 'The column has placeholder text that programs write for missing values; these cells are read as empty.',
    fix: 'Nothing to do. If the text is a real value, write it differently.',
    example: '`County` is `<Null>` and is read as an empty cell.',
  }),
  'spreadsheet-notation': notedPerColumn({
    sentence: 'The column has values written to protect them from a spreadsheet; they are read without that notation.',
    fix: 'Nothing to do if the values are right.',
    example: '`HUC8` is `="16020204"` and is read as `16020204`.',
  }),
  'thousands-separator': notedPerColumn({
    sentence: 'The column has numbers with thousands separators; they are read without them.',
    fix: 'Nothing to do. Numbers with a single comma and no decimal point are not read.',
    example: '`AllocationVolume_AF` is `1,250.50` and is read as `1250.50`.',
  }),
  'day-first-column': noted({
    sentence:
      'Some dates of the column have the day first, and no date proves that the month comes first. So dates that could be ' +
      'read either way were probably read with day and month swapped.',
    fix: 'Write every date of the column as YYYY-MM-DD, and send everything again.',
    example: '`3/4/2020` is in a column with `31/12/2020` and was read as `2020-03-04`: write `2020-04-03`.',
  }),
  'near-column': noted({
    sentence: 'The column is unknown and was not read. Its name is similar to a column that is missing from the file.',
    fix: 'Correct the name of the column.',
    example: 'waterallocations.csv has a column `AllocationPriorityDat`: write `AllocationPriorityDate`.',
  }),
  'absent-column': noted({
    sentence: "The file lacks an optional column; the column's values stay empty.",
    fix: 'Nothing to do unless you have the data: then add the column.',
    example: 'sites.csv has no column `County`: searches by county do not find its sites.',
  }),
} satisfies Readonly<Record<string, Rule>>;

export type RuleName = keyof typeof rules;

/** Whether the rows of a rule are listed in the section of things to check. */
export function isForReview(name: RuleName): boolean {
  const rule: Rule = rules[name];
  return rule.isForReview === true;
}
