// Facts about a site or a right that the pages of several kinds of features show.

import type { Item } from '../../../records/record-references';
import { formatNumberShortly } from '../format-number';
import { readText } from '../html';

export function formatDiversionOrUse(site: Item): string | null {
  const code = readText(site, 'PODorPOUSite');
  if (code === 'POD') return 'Point of diversion';
  return code === 'POU' ? 'Place of use' : code;
}

/** Returns a function that reads an amount for people, with its unit. "All properties" on the page shows all digits. */
export function createMeasureReader(member: string, unit: string): (item: Item) => string | null {
  return (item) => {
    const value = readText(item, member);
    return value === null ? null : `${formatNumberShortly(Number(value))} ${unit}`;
  };
}
