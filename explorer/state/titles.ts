// The title of a single right, site or area: its number or name, never an empty string.

import type { Kind } from './kinds';

/** Returns a member as the CSV format writes it, or an empty string. Lists have `|` between their items. */
export type ReadMember = (name: string) => string;

/** Placeholders that submissions use when something has no name. */
const NO_NAMES = new Set(['', 'unspecified', 'unknown', 'n/a', 'na', 'none', 'null', '-']);

/** All items of a list, including empty ones. */
export function listItems(cell: string): readonly string[] {
  return cell.split(/(?<!\\)\|/).map((item) => item.replaceAll(/\\([\\|])/g, '$1').trim());
}

/** The distinct items of a list, without placeholders that mean "no name". */
export function listNames(cell: string): readonly string[] {
  return [...new Set(listItems(cell))].filter((item) => !NO_NAMES.has(item.toLowerCase()));
}

/** For a right its number, else its owner, else its identifier. For a site or area its name, else its identifier. */
export function buildTitle(kind: Kind, read: ReadMember): string {
  const first = (...members: readonly string[]): string => members.flatMap((name) => listNames(read(name)))[0] ?? '';
  switch (kind) {
    case 'rights': {
      const owner = first('AllocationOwner');
      const number = first('AllocationNativeID') || (owner === '' ? first('AllocationUUID') : `of ${owner}`);
      return number === '' ? 'Water right without a number' : `Water right ${number}`;
    }
    case 'series': {
      const identifier = first('NativeSiteID', 'SiteNativeID', 'USGSSiteID', 'SiteUUID');
      return first('SiteName') || (identifier === '' ? 'Site without a name' : `Site ${identifier}`);
    }
    case 'aggregates': {
      const identifier = first('ReportingUnitNativeID', 'ReportingUnitUUID', 'ReportingUnitUID');
      return first('ReportingUnitName') || (identifier === '' ? 'Area without a name' : `Area ${identifier}`);
    }
  }
}
