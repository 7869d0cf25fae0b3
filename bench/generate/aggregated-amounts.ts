// Yearly amounts of counties and watersheds, in the shape of the field: many that differ only in the use.

import { benchmarkCounties, benchmarkWatersheds, countyBox, stateOfBox, watershedBox } from './benchmark-places';
import { aggregatedVariables, benchmarkVocabulary, organizations, uses } from './benchmark-vocabulary';
import { yearsOf } from './calendar-days';
import { polygonInBox } from './polygons';
import { randomOfItem } from './seeded-random';
import type { Cells } from './tables';

export interface AggregatedAmountsPlan {
  readonly records: number;
  readonly units: number;
  /** How many years a series of one variable and use has. */
  readonly yearsEach: number;
  readonly seed: number;
}

export const AGGREGATED_WATER_SOURCES = 2;

const LAST_YEAR = 2023;
const YEARS_AT_LEAST = 39;
const UNITS_AT_LEAST = 5;
const SERIES_AT_MOST = aggregatedVariables.length * uses.length;
const UNIT_STREAM = 60;
const ROW_STREAM = 61;

export function planAggregatedAmounts(records: number, seed: number): AggregatedAmountsPlan {
  const wanted = Math.ceil((records * 3) / 100);
  const allUnits = benchmarkCounties.length + benchmarkWatersheds.length;
  const units = Math.min(allUnits, Math.max(UNITS_AT_LEAST, Math.ceil(wanted / YEARS_AT_LEAST)));
  const yearsEach = Math.max(YEARS_AT_LEAST, Math.ceil(wanted / units / SERIES_AT_MOST));
  return { records: wanted, units, yearsEach, seed };
}

export function* reportingUnitRows(plan: AggregatedAmountsPlan): Generator<Cells> {
  for (let unit = 0; unit < plan.units; unit += 1) {
    const random = randomOfItem(plan.seed, UNIT_STREAM, unit);
    const watershed = unit - benchmarkCounties.length;
    const isCounty = watershed < 0;
    const box = isCounty ? countyBox(unit) : watershedBox(watershed);
    yield {
      ReportingUnitUUID: benchmarkVocabulary.reportingUnitUuid(unit),
      EPSGCodeCV: 4326,
      Geometry: polygonInBox(random, box, random.chance(0.9) ? random.integer(20, 200) : random.integer(1000, 4999)),
      ReportingUnitName: benchmarkCounties[unit] ?? `Watershed ${watershed + 1}`,
      ReportingUnitNativeID: isCounty ? String(99001 + unit) : (benchmarkWatersheds[watershed] ?? ''),
      ReportingUnitTypeCV: isCounty ? 'County' : 'HUC',
      StateCV: stateOfBox(box),
    };
  }
}

export function* aggregatedAmountRows(plan: AggregatedAmountsPlan): Generator<Cells> {
  for (let unit = 0; unit < plan.units; unit += 1) {
    const first = Math.floor((plan.records * unit) / plan.units);
    const next = Math.floor((plan.records * (unit + 1)) / plan.units);
    yield* unitRows(plan, unit, next - first);
  }
}

function* unitRows(plan: AggregatedAmountsPlan, unit: number, records: number): Generator<Cells> {
  const random = randomOfItem(plan.seed, ROW_STREAM, unit);
  let left = records;
  for (const use of uses) {
    for (const variable of aggregatedVariables) {
      const years = yearsOf(LAST_YEAR - Math.min(left, plan.yearsEach) + 1, LAST_YEAR);
      const cells = {
        MethodUUID: `${organizations.aggregatedAmounts}_M1`,
        OrganizationUUID: organizations.aggregatedAmounts,
        ReportingUnitUUID: benchmarkVocabulary.reportingUnitUuid(unit),
        VariableSpecificUUID: variable.uuid,
        WaterSourceUUID: `${organizations.aggregatedAmounts}_WS${random.integer(1, AGGREGATED_WATER_SOURCES)}`,
        BeneficialUseCategory: use.name,
        DataPublicationDate: '06/25/2024',
        PrimaryUseCategory: use.primaryUse,
      };
      for (const { year, start, end } of years) {
        const Amount = Math.round(random.next() ** 3 * 1e8) / 1000;
        yield { ...cells, Amount, ReportYearCV: year, TimeframeEnd: end, TimeframeStart: start };
      }
      left -= years.length;
      if (left === 0) return;
    }
  }
}
