// Writes the places of a release as lookups and indexes them.

import { type DataSetKind } from '../../shared/records/data-sets';
import { SITE_DETAILS } from '../../shared/render/site-details';
import { readPoint } from '../../shared/values/site-point';
import type { CellValue } from '../format/column';
import { lookupFiles, type ReportingUnitRow, type SiteRow } from '../format/submission-files';
import { addInBatches } from './batches';
import { type NewPlace } from './index-writer';
import { type SiteLookups, writeReportingUnit, writeSite } from './lookup-json';
import { writeReportingUnitText, writeSiteText } from './place-text';
import { type ObservedPlace } from './release-observer';
import { type BuildInput, type ReleaseParts } from './release-parts';
import { createRelationReader } from './site-relations';
import { readFieldValues } from './term-sources';

/** Writes the places and indexes them. A place without records is omitted, but its source row is kept. */
export async function writePlaces(
  { staged, staging, organization, writer, observer }: BuildInput,
  { index, sources, placeTexts }: ReleaseParts,
  write: (json: string) => void,
): Promise<void> {
  const { kind, placeTable } = staged.definition;
  const readRelations = createRelationReader(staging, placeTable);
  await addInBatches(
    staging.getLookups(placeTable).readRows(),
    writer,
    ({ id, number, source, geometry, ...place }) => {
      sources.add(lookupFiles[placeTable], source);
      const relations = readRelations(id);
      if (staged.referenced.marks[placeTable][number] !== 1) return source.length;
      const waterSources = place.waterSources.map((waterSource) => index.lookups.getWaterSource(waterSource));
      const row: Readonly<Record<string, CellValue>> = place.readRow();
      const lookups = { ...relations, sources: waterSources };
      const { item, text, coordinates, ...indexed } = describePlace(kind, row, lookups, organization.OrganizationState);
      write(item);
      placeTexts.add(text);
      const isDetailed = SITE_DETAILS.some((name) => (row[name] ?? null) !== null);
      const box = index.addPlace({ ...indexed, id, geometry, isDetailed, sources: place.waterSources });
      const hasText = (row['Geometry'] ?? null) !== null;
      const usability = geometry === null ? 'unusable' : 'usable';
      observer.addPlace({
        id,
        box,
        point: indexed.point,
        coordinates,
        geometry: hasText ? usability : 'none',
        relations: relations.pods.length + relations.pous.length,
      });
      return source.length + item.length;
    },
  );
  staging.saveRuns();
}

/** Reads the row of a place. `organizationState` is the two-letter code of its organization's state. */
function describePlace(
  kind: DataSetKind,
  row: Readonly<Record<string, CellValue>>,
  related: SiteLookups,
  organizationState: string,
): Pick<NewPlace, 'name' | 'nativeId' | 'point' | 'values'> &
  Pick<ObservedPlace, 'coordinates'> & { readonly item: string; readonly text: string } {
  // The staged rows belong to the file of places of this kind.
  if (kind === 'AggregatedAmounts') {
    const unit = row as Readonly<Record<string, unknown>> as ReportingUnitRow;
    return {
      item: writeReportingUnit(unit),
      text: writeReportingUnitText(unit),
      name: unit.ReportingUnitName,
      nativeId: unit.ReportingUnitNativeID,
      point: undefined,
      coordinates: [null, null],
      values: readFieldValues(kind, 'reportingUnit', { ...unit, organizationState }),
    };
  }
  const site = row as Readonly<Record<string, unknown>> as SiteRow;
  return {
    item: writeSite(site, related),
    text: writeSiteText(kind, site),
    name: site.SiteName,
    nativeId: site.SiteNativeID,
    point: readPoint(site.Longitude, site.Latitude),
    coordinates: [site.Longitude, site.Latitude],
    values: readFieldValues(kind, 'site', { ...site, organizationState }),
  };
}
