// The sample of county totals: many amounts that differ only in their use.

import { dayNumber, slashDay } from '../generate/calendar-days';
import { lookupColumns, realColumns } from '../generate/columns';
import { methodTable, organizationTable, variableTable, waterSourceTable } from '../generate/lookups';
import { SeededRandom } from '../generate/seeded-random';
import { flawed, type Cells, type PlannedFlaw } from '../generate/tables';
import { countiesOf, outlineText } from './counties';
import { sampleOrganization, type Sample } from './sample';

const organization = sampleOrganization('NM', 'New Mexico');

/** The uses of a county, each with the highest amount of a year in acre-feet. */
const uses = [
  ['Public Water Supply', 14_000],
  ['Domestic (self-supplied)', 1_200],
  ['Irrigated Agriculture', 90_000],
  ['Livestock (self-supplied)', 900],
  ['Mining (self-supplied)', 2_500],
] as const;

/** A survey every five years. */
const surveyYears = [1985, 1990, 1995, 2000, 2005, 2010, 2015, 2020];

export function newMexicoAggregated(seed: number): Sample {
  const random = new SeededRandom(seed);
  const units = countiesOf('35').map((county, index) => ({
    ReportingUnitUUID: `SAMPLE_NM_RU${index + 1}`,
    EPSGCodeCV: 4326,
    Geometry: outlineText(county),
    ReportingUnitName: county.name,
    ReportingUnitNativeID: county.code,
    ReportingUnitTypeCV: 'County',
    StateCV: 'NM',
  }));
  const amounts = units.flatMap((unit) => amountsOf(unit.ReportingUnitUUID, random));
  return {
    folder: 'new-mexico-aggregated',
    description:
      'Invented withdrawals of 33 counties, with their real outlines, for five uses, every five years from 1985 to ' +
      '2020. Dates are written 12/31/1990; the file of the counties is in Windows-1252; there is a submission.json.',
    tables: [
      organizationTable(organization),
      variableTable(organization.uuid, [
        {
          ...{ variable: 'Aggregated Withdrawal', specific: 'Aggregated Withdrawal_Annual' },
          ...{ interval: 'Year', statistic: 'Cumulative', unit: 'AF' },
        },
      ]),
      methodTable(organization.uuid, [
        {
          ApplicableResourceTypeCV: 'Surface Ground Water',
          MethodDescription: 'Estimates by county and use.',
          MethodName: 'Water use survey',
          MethodNEMILink: 'https://example.org/survey',
          MethodTypeCV: 'Estimated',
        },
      ]),
      waterSourceTable(organization.uuid, [
        { name: 'Unspecified', type: 'Groundwater' },
        { name: 'Unspecified', type: 'Surface Water' },
      ]),
      // One name has a letter beyond ASCII, and older programs write Windows-1252.
      { file: 'reportingunits.csv', columns: lookupColumns.reportingUnits, rows: units, form: 'Windows-1252' },
      {
        file: 'aggregatedamounts.csv',
        columns: realColumns.aggregatedAmounts,
        ...flawed(amounts, flawsOf(amounts)),
      },
    ],
    instructions: '{"mode":"replace","note":"Sample data: invented, for trying the service."}\n',
  };
}

function amountsOf(unit: string, random: SeededRandom): Cells[] {
  // Few counties take much, as it is where few have a large town.
  const size = 0.05 + 0.95 * random.next() ** 3;
  return surveyYears.flatMap((year) =>
    uses.map(([use, highest]) => ({
      MethodUUID: 'SAMPLE_NM_M1',
      OrganizationUUID: 'SAMPLE_NM',
      ReportingUnitUUID: unit,
      VariableSpecificUUID: 'SAMPLE_NM_V1',
      WaterSourceUUID: use === 'Irrigated Agriculture' ? 'SAMPLE_NM_WS2' : 'SAMPLE_NM_WS1',
      Amount: random.chance(0.04) ? '0.0' : Math.round(highest * size * (700 + 300 * random.next())) / 1000,
      BeneficialUseCategory: use,
      DataPublicationDate: '06/25/2022',
      PrimaryUseCategory: 'Unspecified',
      ReportYearCV: year,
      TimeframeEnd: slashDay(dayNumber(year, 12, 31)),
      TimeframeStart: slashDay(dayNumber(year, 1, 1)),
    })),
  );
}

function flawsOf(amounts: readonly Cells[]): readonly PlannedFlaw[] {
  const { TimeframeStart = '', TimeframeEnd = '' } = amounts[40] ?? {};
  const reversed = { TimeframeStart: TimeframeEnd, TimeframeEnd: TimeframeStart };
  return [
    ['warned', 40, reversed, 'TimeframeStart after TimeframeEnd'],
    ['warned', 120, { DataPublicationDate: 'summer 2022' }, 'a date that cannot be read'],
    ['rejected', 200, { ReportingUnitUUID: 'SAMPLE_NM_RU99' }, 'a reporting unit that is not held'],
    ['rejected', 80, { Amount: 12 }, 'a second row of the same key'],
  ];
}
