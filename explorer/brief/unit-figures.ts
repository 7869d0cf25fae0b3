// Chooses the reporting units that a brief adds up: those of one type (D78), preferably units that are the area itself.

import { isAreaType, type UnitsBrief } from '../requests/brief';
import { type TotalsAnswerRow, toText } from '../requests/totals';
import { listUnitTypes, UNIT_TYPE, type UnitType } from '../requests/unit-types';
import type { BriefArea } from '../state/brief-area';
import { fold } from '../state/fold';

export interface ShownUnits {
  /** The shown type; empty for units without a type. */
  readonly type: string;
  /** Whether the units are the county or watershed itself, not larger or other areas that touch it. */
  readonly isAreaItself: boolean;
  readonly names: readonly string[];
  readonly rows: readonly TotalsAnswerRow[];
  /** The rows, broken down by use category. */
  readonly pieces: readonly TotalsAnswerRow[];
  /** The other types of units in the area. Their units overlap the shown units. */
  readonly otherTypes: readonly UnitType[];
}

/** Returns undefined if there are no amounts. */
export function describeShownUnits(
  area: BriefArea,
  { units, type, byYear, byYearAndUse }: UnitsBrief,
): ShownUnits | undefined {
  if (type === undefined) return undefined;
  const isShown = (name: string): boolean => fold(name) === fold(type);
  const places = units.places.filter((place) => isShown(place.type));
  const types = listUnitTypes({ all: byYear.Totals, withShape: byYear.Totals });
  return {
    type,
    isAreaItself: isAreaType(area, type),
    names: places.map(({ name, nativeId, id }) => name || nativeId || id),
    rows: byYear.Totals.filter((row) => isShown(toText(row[UNIT_TYPE]))),
    pieces: byYearAndUse.Totals,
    otherTypes: types.filter(({ name }) => !isShown(name)),
  };
}
