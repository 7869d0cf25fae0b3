// Chooses the reporting units that a brief adds up: those of one type (D78), preferably units that are the area itself.

import type { Brief, UnitsBrief } from '../requests/brief';
import { type TotalsAnswerRow, toText } from '../requests/totals';
import { chooseUnitType, isCountyType, listUnitTypes, UNIT_TYPE, type UnitType } from '../requests/unit-types';
import { fold } from '../state/fold';

export interface ShownUnits {
  /** The shown type; empty for units without a type. */
  readonly type: string;
  /** Whether the units are the county or watershed itself, not larger or other areas that touch it. */
  readonly isAreaItself: boolean;
  readonly names: readonly string[];
  readonly rows: readonly TotalsAnswerRow[];
  /** Types of other units, which overlap the shown ones. */
  readonly otherTypes: readonly UnitType[];
}

/** Undefined if the area has no units. */
export function chooseUnits({ area }: Pick<Brief, 'area'>, { units, byYear }: UnitsBrief): ShownUnits | undefined {
  const totals = { all: byYear.Totals, withShape: byYear.Totals };
  const types = listUnitTypes(totals);
  const isOwnType = (name: string): boolean => (area.type === 'county' ? isCountyType(name) : /^huc/i.test(name));
  const own = types.find(({ name }) => isOwnType(name));
  const type = own?.name ?? chooseUnitType(totals, '');
  if (type === undefined) return undefined;
  const isShown = (name: string): boolean => fold(name) === fold(type);
  const places = units.places.filter((place) => isShown(place.type));
  return {
    type,
    isAreaItself: own !== undefined,
    names: places.map(({ name, nativeId, id }) => name || nativeId || id),
    rows: byYear.Totals.filter((row) => isShown(toText(row[UNIT_TYPE]))),
    otherTypes: types.filter(({ name }) => !isShown(name)),
  };
}
