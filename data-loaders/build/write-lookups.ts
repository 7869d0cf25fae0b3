// Writes the lookups of a release in the order of their numbers, and indexes the places among them.

import { dataSetLayouts, lookupKindsOf, type DataSetKind } from '../../shared/records/data-sets';
import type { LookupKind } from '../../shared/records/lookups';
import type { ReleaseWriter } from '../../shared/store/port';
import { readPoint } from '../../shared/values/point';
import { tableOfKind, type LookupNumbers } from './index/lookup-numbers';
import type { PlaceWriter } from './index/place-writer';
import type { LookupContext } from './records/lookup-context';
import {
  writeBeneficialUse,
  writeMethod,
  writeReportingUnit,
  writeSite,
  writeVariable,
  writeWaterSource,
} from './records/lookup-items';
import type { MethodRow, ReportingUnitRow, SiteRow, VariableRow, WaterSourceRow } from '../format/lookup-files';
import type { UseCategories } from './records/use-categories';
import type { ReferencedLookups } from '../stage/referenced-lookups';
import type { StagedLookup, Staging } from '../stage/staging';
import type { LookupDigests } from './content-digest';

export interface LookupInput {
  readonly kind: DataSetKind;
  readonly staging: Staging;
  readonly referenced: ReferencedLookups;
  readonly numbers: LookupNumbers;
  readonly context: LookupContext;
  readonly writer: ReleaseWriter;
  readonly digests: LookupDigests;
  readonly places: PlaceWriter;
  readonly categoriesOf: (use: string) => UseCategories;
}

export function writeLookups(input: LookupInput): void {
  const { kind, staging, referenced, numbers, categoriesOf } = input;
  for (const lookupKind of lookupKindsOf(dataSetLayouts[kind])) {
    if (lookupKind === 'BeneficialUses') {
      for (const use of numbers.uses()) write(input, writeBeneficialUse(use, categoriesOf(use)));
      continue;
    }
    const table = tableOfKind[lookupKind];
    for (const staged of staging.lookups(table)) {
      if (referenced.has(table, staged.number)) write(input, itemOf(lookupKind, staged, input));
    }
  }
}

/** The JSON text of a lookup; places are indexed on the way. Rows were staged by stageLookups, file by file. */
function itemOf(kind: Exclude<LookupKind, 'BeneficialUses'>, staged: StagedLookup, input: LookupInput): string {
  const row: unknown = JSON.parse(staged.row);
  switch (kind) {
    case 'VariableSpecifics':
      return writeVariable(row as VariableRow);
    case 'Methods':
      return writeMethod(row as MethodRow);
    case 'WaterSources':
      return writeWaterSource(row as WaterSourceRow);
    case 'Sites':
      return siteItem(row as SiteRow, staged, input);
    case 'ReportingUnits':
      input.places.addPlace(staged.id, undefined, staged.geometry);
      return writeReportingUnit(row as ReportingUnitRow);
  }
}

function siteItem(row: SiteRow, staged: StagedLookup, { places, staging, context }: LookupInput): string {
  places.addPlace(staged.id, readPoint(row.Longitude, row.Latitude), staged.geometry);
  const sources = row.WaterSourceUUIDs.map((id) => context.waterSource(id));
  return writeSite(row, sources, staging.podsOf(staged.id), staging.pousOf(staged.id));
}

function write({ writer, digests }: LookupInput, json: string): void {
  writer.addFragment('lookups', json);
  digests.add(json);
}
