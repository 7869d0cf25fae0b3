// The sample of county totals: many amounts that differ only in their use.

import { dayNumber, slashDay } from '../generate/calendar-days';
import { lookupColumns, realColumns } from '../generate/columns';
import { methodTable, organizationTable, variableTable, waterSourceTable } from '../generate/lookups';
import { polygonInBox } from '../generate/polygons';
import { SeededRandom } from '../generate/seeded-random';
import { flawed, type Cells, type PlannedFlaw } from '../generate/tables';
import { areasOf, sampleOrganization, type Sample } from './sample';

const organization = sampleOrganization('NM', 'New Mexico');

/** The uses of a county, each with the highest amount of a year in acre-feet. */
const uses = [
  ['Public Water Supply', 14_000],
  ['Domestic (self-supplied)', 1_200],
  ['Irrigated Agriculture', 90_000],
  ['Livestock (self-supplied)', 900],
  ['Commercial (self-supplied)', 700],
  ['Industrial (self-supplied)', 500],
  ['Mining (self-supplied)', 2_500],
  ['Power (self-supplied)', 6_000],
  ['Reservoir Evaporation', 20_000],
] as const;

/** A survey every five years. */
const surveyYears = [1985, 1990, 1995, 2000, 2005, 2010, 2015, 2020];

/** Letters beyond ASCII: the file of the counties is written in Windows-1252, as older programs do. */
const counties =
  'Cañada Callada,Dos Linternas,Piedra Serena,Llano Quieto,Mesa Ceniza,Ocotillo Alto,Peñasco Gris,Sombra Larga'.split(
    ',',
  );

export function newMexicoAggregated(seed: number): Sample {
  const random = new SeededRandom(seed);
  const areas = areasOf({
    box: { west: -108.8, south: 32.2, east: -103.2, north: 36.8 },
    columns: 4,
    names: counties,
    firstHuc8: 13029001,
  });
  const units = areas.map((area, index) => ({
    ReportingUnitUUID: `SAMPLE_NM_RU${index + 1}`,
    EPSGCodeCV: 4326,
    Geometry: polygonInBox(random, area.box, random.integer(16, 36)),
    ReportingUnitName: area.name,
    ReportingUnitNativeID: 35901 + 2 * index,
    ReportingUnitTypeCV: 'County',
    StateCV: 'NM',
  }));
  const amounts = units.flatMap((unit) => amountsOf(unit.ReportingUnitUUID, random));
  return {
    folder: 'new-mexico-aggregated',
    description:
      'Withdrawals of eight counties (polygons) for nine uses, every five years from 1985 to 2020. Dates are written ' +
      '12/31/1990; the file of the counties is in Windows-1252; there is a submission.json.',
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
  const size = 0.3 + 0.7 * random.next();
  return surveyYears.flatMap((year) =>
    uses.map(([use, highest]) => ({
      MethodUUID: 'SAMPLE_NM_M1',
      OrganizationUUID: 'SAMPLE_NM',
      ReportingUnitUUID: unit,
      VariableSpecificUUID: 'SAMPLE_NM_V1',
      WaterSourceUUID: use === 'Reservoir Evaporation' ? 'SAMPLE_NM_WS2' : 'SAMPLE_NM_WS1',
      Amount: random.chance(0.1) ? '0.0' : Math.round(highest * size * (700 + 300 * random.next())) / 1000,
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
