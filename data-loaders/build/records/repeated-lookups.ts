// What a record repeats of the lookups that its row refers to: all that writing its JSON needs beside the row.

import type { ReportingUnitRow, SiteRow, VariableRow } from '../../format/lookup-files';

/** The members of a site. */
export const REPEATED_OF_SITE = [
  'SiteNativeID',
  'SiteName',
  'SiteTypeCV',
  'Longitude',
  'Latitude',
  'CoordinateMethodCV',
  'CoordinateAccuracy',
  'HUC8',
  'HUC12',
  'County',
  'StateCV',
  'PODorPOUSite',
] as const satisfies readonly (keyof SiteRow)[];

/** The members of a reporting unit. */
export const REPEATED_OF_UNIT = [
  'ReportingUnitName',
  'ReportingUnitTypeCV',
] as const satisfies readonly (keyof ReportingUnitRow)[];

export type PlaceBrief = { readonly id: string } & Partial<Pick<SiteRow, (typeof REPEATED_OF_SITE)[number]>> &
  Partial<Pick<ReportingUnitRow, (typeof REPEATED_OF_UNIT)[number]>>;

export interface RepeatedLookups {
  readonly places: readonly PlaceBrief[];
  readonly variable: VariableRow;
  readonly waterSource: { readonly id: string; readonly type: string | null } | undefined;
}

/** The lookups of a row, whatever else is known of them. */
interface FoundLookups {
  readonly places: readonly { readonly brief: PlaceBrief }[];
  readonly variable: { readonly row: VariableRow };
  readonly waterSource: RepeatedLookups['waterSource'];
}

export function pick<Row, Name extends keyof Row>(row: Row, names: readonly Name[]): Pick<Row, Name> {
  return Object.fromEntries(names.map((name) => [name, row[name]])) as unknown as Pick<Row, Name>; // Of these names.
}

/** `last` itself for a row that repeats the same as the row before it: a thread is sent one object once. */
export function repeatedLookups(found: FoundLookups, last: RepeatedLookups | undefined): RepeatedLookups {
  const { places, variable, waterSource } = found;
  const isSame =
    last?.variable === variable.row &&
    last.waterSource?.id === waterSource?.id &&
    last.places.length === places.length &&
    last.places.every((place, index) => place === places[index]?.brief);
  if (isSame) return last;
  return {
    places: places.map(({ brief }) => brief),
    variable: variable.row,
    waterSource: waterSource && { id: waterSource.id, type: waterSource.type },
  };
}
