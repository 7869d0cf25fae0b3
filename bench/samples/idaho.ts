// The sample of watershed totals: several variables over water years.

import { yearsOf } from '../generate/calendar-days';
import { lookupColumns, realColumns } from '../generate/columns';
import { methodTable, organizationTable, variableTable, waterSourceTable, type Variable } from '../generate/lookups';
import { SeededRandom } from '../generate/seeded-random';
import { flawed, type Cells, type PlannedFlaw } from '../generate/tables';
import { sampleOrganization, type Sample } from './sample';
import { watershedsOf } from './watersheds';

const organization = sampleOrganization('ID', 'Idaho');

/** The variables, each with its use and the highest amount of a year in acre-feet. */
const budget = [
  { variable: 'Aggregated Withdrawal', kind: 'Irrigation', use: 'Irrigation', highest: 420_000 },
  { variable: 'Aggregated Consumptive Use', kind: 'Irrigation', use: 'Irrigation', highest: 260_000 },
  { variable: 'Aggregated Return Flow', kind: 'Discharge', use: 'Irrigation', highest: 150_000 },
  { variable: 'Aggregated Water Supply', kind: 'Reservoir', use: 'Storage', highest: 700_000 },
] as const;

const watersheds =
  'Upper Lantern Slough,Lower Lantern Slough,Ashfall Creek,Cinder Butte,Sagewren,Long Portage,Marten Fork,Basalt Sink'.split(
    ',',
  );

/** The region is the right one; no real watershed has such a number. */
const FIRST_HUC8 = 17049001;

/** The first of these water years begins on 1 October of the year before. */
const waterYears = yearsOf(2004, 2023);

const metres =
  'POLYGON ((712000 4697000, 760000 4697000, 760000 4745000, 736000 4751000, 712000 4745000, 712000 4697000))';

const unitFlaws: readonly PlannedFlaw[] = [
  ['warned', 7, { Geometry: metres }, 'a polygon in metres, out of the range of degrees: not searchable'],
];

const earlier = { ReportYearCV: 2003, TimeframeStart: '2002-10-01', TimeframeEnd: '2003-09-30' };

const amountFlaws: readonly PlannedFlaw[] = [
  ['warned', 33, { WaterSourceUUID: 'SAMPLE_ID_WS7' }, 'a water source that is not held'],
  ['rejected', 100, { ...earlier, MethodUUID: 'SAMPLE_ID_M9' }, 'a method that is not held'],
];

export function idahoAggregated(seed: number): Sample {
  const random = new SeededRandom(seed);
  const box = { west: -116.7, south: 42.3, east: -111.5, north: 44.3 };
  const outlines = watershedsOf({ box, columns: 4, rows: 2 }, random);
  const units = watersheds.map((name, index) => ({
    ReportingUnitUUID: `SAMPLE_ID_RU${index + 1}`,
    EPSGCodeCV: 4326,
    Geometry: outlines[index] ?? '',
    ReportingUnitName: name,
    ReportingUnitNativeID: String(FIRST_HUC8 + index),
    ReportingUnitTypeCV: 'HUC',
    ReportingUnitUpdateDate: '2021-03-01',
    StateCV: 'ID',
  }));
  return {
    folder: 'idaho-aggregated',
    description:
      'Water budgets of eight HUC8 watersheds (polygons): withdrawal, consumptive use, return flow and supply, for ' +
      'the water years 2004 to 2023 (October to September).',
    tables: [
      organizationTable(organization),
      variableTable(organization.uuid, budget.map(describeVariable)),
      methodTable(organization.uuid, [
        {
          ApplicableResourceTypeCV: 'Surface Ground Water',
          MethodDescription: 'Computed from diversions, crops and weather.',
          MethodName: 'Water budget model',
          MethodTypeCV: 'Modeled',
        },
      ]),
      waterSourceTable(organization.uuid, [{ name: 'Unspecified', type: 'Surface Water' }]),
      { file: 'reportingunits.csv', columns: lookupColumns.reportingUnits, ...flawed(units, unitFlaws) },
      {
        file: 'aggregatedamounts.csv',
        columns: realColumns.aggregatedAmounts,
        ...flawed(
          units.flatMap((unit) => amountsOf(unit.ReportingUnitUUID, random)),
          amountFlaws,
        ),
      },
    ],
  };
}

function describeVariable({ variable, kind }: (typeof budget)[number]): Variable {
  const specific = `${variable}_${kind}`;
  return { variable, specific, interval: 'Year', statistic: 'Cumulative', unit: 'AF', yearBegins: 10 };
}

function amountsOf(unit: string, random: SeededRandom): Cells[] {
  const size = 0.2 + 0.8 * random.next();
  return budget.flatMap(({ use, highest }, index) =>
    waterYears.map(({ year }) => ({
      MethodUUID: 'SAMPLE_ID_M1',
      OrganizationUUID: 'SAMPLE_ID',
      ReportingUnitUUID: unit,
      VariableSpecificUUID: `SAMPLE_ID_V${index + 1}`,
      WaterSourceUUID: 'SAMPLE_ID_WS1',
      Amount: Math.round(highest * size * (60 + 40 * random.next())) / 100,
      BeneficialUseCategory: use,
      DataPublicationDate: '2024-02-08',
      IrrigatedAcreage: index === 0 ? Math.round(highest * size * 0.3) : '',
      PrimaryUseCategory: use === 'Irrigation' ? 'Irrigation' : 'Unspecified',
      ReportYearCV: year,
      TimeframeEnd: `${year}-09-30`,
      TimeframeStart: `${year - 1}-10-01`,
    })),
  );
}
