// Yearly amounts of counties and watersheds in realistic proportions: many rows differ only in the use.

import {
  benchmarkCounties,
  benchmarkWatersheds,
  findStateOfBox,
  getCountyBox,
  getWatershedBox,
} from './benchmark-places';
import { aggregatedVariables, benchmarkVocabulary, organizations, uses } from './benchmark-vocabulary';
import { listYears } from './calendar-days';
import { drawPolygonInBox } from './polygons';
import { createItemRandom } from './seeded-random';
import type { Cells } from './tables';

export interface AggregatedAmountsPlan {
  readonly records: number;
  readonly units: number;
  /** The number of years in a series of one variable and use. */
  readonly yearsEach: number;
  readonly seed: number;
}

export const AGGREGATED_WATER_SOURCES = 2;

const LAST_YEAR = 2023;
const MIN_YEARS = 39;
const MIN_UNITS = 5;
const MAX_SERIES = aggregatedVariables.length * uses.length;
const UNIT_STREAM = 60;
const ROW_STREAM = 61;

export function planAggregatedAmounts(records: number, seed: number): AggregatedAmountsPlan {
  const amounts = Math.ceil((records * 3) / 100);
  const allUnits = benchmarkCounties.length + benchmarkWatersheds.length;
  const units = Math.min(allUnits, Math.max(MIN_UNITS, Math.ceil(amounts / MIN_YEARS)));
  const yearsEach = Math.max(MIN_YEARS, Math.ceil(amounts / units / MAX_SERIES));
  return { records: amounts, units, yearsEach, seed };
}

export function* reportingUnitRows(plan: AggregatedAmountsPlan): Generator<Cells> {
  for (let unit = 0; unit < plan.units; unit += 1) {
    const random = createItemRandom(plan.seed, UNIT_STREAM, unit);
    const watershed = unit - benchmarkCounties.length;
    const isCounty = watershed < 0;
    const box = isCounty ? getCountyBox(unit) : getWatershedBox(watershed);
    yield {
      ReportingUnitUUID: benchmarkVocabulary.reportingUnitUuid(unit),
      EPSGCodeCV: 4326,
      Geometry: drawPolygonInBox(
        random,
        box,
        random.chance(0.9) ? random.integer(20, 200) : random.integer(1000, 4999),
      ),
      ReportingUnitName: benchmarkCounties[unit] ?? `Watershed ${watershed + 1}`,
      ReportingUnitNativeID: isCounty ? String(99001 + unit) : (benchmarkWatersheds[watershed] ?? ''),
      ReportingUnitTypeCV: isCounty ? 'County' : 'HUC',
      StateCV: findStateOfBox(box),
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
  const random = createItemRandom(plan.seed, ROW_STREAM, unit);
  let remaining = records;
  for (const use of uses) {
    for (const variable of aggregatedVariables) {
      const years = listYears(LAST_YEAR - Math.min(remaining, plan.yearsEach) + 1, LAST_YEAR);
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
      remaining -= years.length;
      if (remaining === 0) return;
    }
  }
}
