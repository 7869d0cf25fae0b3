// Writes the lookups of a release in the order of their numbers, and indexes the places among them.

import { dataSetLayouts, lookupKindsOf } from '../../shared/records/data-sets';
import type { LookupKind } from '../../shared/records/lookups';
import type { ReleaseWriter } from '../../shared/store/port';
import type { Box } from '../../shared/values/geometry';
import { readPoint, type Point } from '../../shared/values/numbers';
import type { MethodRow, ReportingUnitRow, SiteRow, VariableRow, WaterSourceRow } from '../format/lookup-files';
import type { ReferencedLookups } from '../stage/references';
import type { StagedLookup } from '../stage/staging';
import { tableOfKind } from './index/lookup-numbers';
import type { PlaceIndexWriter } from './index/place-index-writer';
import type { ReleaseLookups, ReleaseLookupsInput } from './index/release-lookups';
import {
  writeBeneficialUse,
  writeMethod,
  writeReportingUnit,
  writeSite,
  writeVariable,
  writeWaterSource,
} from './records/lookup-json';
import type { LookupDigests } from './release-digest';

interface LookupsInput extends ReleaseLookupsInput {
  readonly referenced: ReferencedLookups;

  readonly lookups: ReleaseLookups;
  readonly writer: ReleaseWriter;
  readonly digests: LookupDigests;
  readonly places: PlaceIndexWriter;
  readonly observer: { addPlace(id: string, box: Box): void };
}

export function writeLookups(input: LookupsInput): void {
  const { definition, staging, referenced, numbers, categoriesOf } = input;
  for (const lookupKind of lookupKindsOf(dataSetLayouts[definition.kind])) {
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

/** Returns the JSON text of a lookup, and indexes it if it is a place. stageLookups staged the rows. */
function itemOf(kind: Exclude<LookupKind, 'BeneficialUses'>, staged: StagedLookup, input: LookupsInput): string {
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
      addPlace(staged, undefined, input);
      input.lookups.addReportingUnit(row as ReportingUnitRow);
      return writeReportingUnit(row as ReportingUnitRow);
  }
}

function siteItem(row: SiteRow, staged: StagedLookup, input: LookupsInput): string {
  const { staging, lookups } = input;
  addPlace(staged, readPoint(row.Longitude, row.Latitude), input);
  lookups.addSite(row);
  return writeSite(row, {
    sources: row.WaterSourceUUIDs.map((id) => lookups.waterSource(id)),
    pods: staging.relations.podsOf(staged.id),
    pous: staging.relations.pousOf(staged.id),
  });
}

function addPlace({ id, geometry }: StagedLookup, point: Point | undefined, input: LookupsInput): void {
  const { places, placeColumns, observer } = input;
  const box = places.addPlace(id, point, geometry);
  placeColumns.addPlace(id, box);
  if (box !== undefined) observer.addPlace(id, box);
}

function write({ writer, digests }: LookupsInput, json: string): void {
  writer.addFragment('lookups', json);
  digests.add(json);
}
