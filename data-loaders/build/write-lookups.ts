// Writes the lookups of a release in the order of their numbers, and indexes its places.

import { filterTerm } from '../../shared/query/text-filters';
import { type DataSetKind, dataSetLayouts, lookupKindsOf } from '../../shared/records/data-sets';
import type { RelatedSite } from '../../shared/records/lookups';
import type { Organization } from '../../shared/records/records';
import { SITE_DETAILS } from '../../shared/render/features';
import { placeHash } from '../../shared/search/index/hashes';
import type { ReleaseWriter } from '../../shared/store/port';
import type { TextFile } from '../../shared/store/text-file';
import type { Box } from '../../shared/values/geometry';
import { type Point, readPoint } from '../../shared/values/numbers';
import { compareUtf8 } from '../../shared/values/text';
import { sortableKey } from '../format/amount-definitions';
import type { CellValue } from '../format/column';
import { lookupFiles, type ReportingUnitRow, type SiteRow } from '../format/submission-files';
import type { StagedAmounts } from '../read/amount-rows';
import type { SourceTextWriter } from '../stage/source-text';
import type { SortedRuns } from '../stage/sorted-runs';
import type { Staging } from '../stage/staging';
import type { NameIndexWriter } from './name-index';
import type { PlaceColumnsWriter } from './place-columns';
import type { PlaceIndexWriter } from './place-index';
import type { StagedTerms } from './posting-lists';
import type { LookupDigests } from './release-digests';
import type { UseCategories } from '../../shared/records/use-categories';
import {
  reportingUnitText,
  type SiteLookups,
  siteText,
  writeBeneficialUse,
  writeMethod,
  writeReportingUnit,
  writeSite,
  writeVariable,
  writeWaterSource,
} from './release-json';
import { referencedRows, type ReleaseLookups, tableOfKind } from './release-lookups';
import { fieldValuesOf } from './term-sources';

/** A place that records refer to. */
export interface ObservedPlace {
  readonly id: string;
  /** The place's point, or else the box around its geometry; undefined without either. */
  readonly box: Box | undefined;
  /** Undefined when its coordinates are no point on Earth. */
  readonly point: Point | undefined;
  /** The cells of its row; null where they are empty, and of reporting units. */
  readonly coordinates: readonly [longitude: string | null, latitude: string | null];
  /** The row has no text of a geometry, or one that can be used, or not. */
  readonly geometry: 'none' | 'usable' | 'unusable';
}

interface LookupsInput {
  readonly staged: StagedAmounts;
  readonly staging: Staging;
  readonly organization: Organization;
  readonly writer: ReleaseWriter;
  readonly categoriesOf: (use: string) => UseCategories;
  readonly observer: { addPlace(place: ObservedPlace): void };
  readonly sources: SourceTextWriter;
  readonly lookups: ReleaseLookups;
  readonly digests: LookupDigests;
  /** By rank what records repeat of a place: rights may name millions of sites in any order (ADR 0053). */
  readonly placeTexts: TextFile;
  /** Gets the terms of the places' identifiers. */
  readonly placeTerms: StagedTerms;
  /** To be filled with the relations in the order of the places of use. */
  readonly relationsOfUses: SortedRuns;
  readonly names: NameIndexWriter;
  readonly placeIndex: PlaceIndexWriter;
  readonly placeColumns: PlaceColumnsWriter;
}

export async function writeLookups(input: LookupsInput): Promise<void> {
  const { staged, staging, writer, categoriesOf, lookups, digests } = input;
  const write = (json: string): void => {
    writer.addFragment('lookups', json);
    digests.add(json);
  };
  for (const kind of lookupKindsOf(dataSetLayouts[staged.definition.kind])) {
    if (kind === 'BeneficialUses') {
      for (const use of lookups.uses.keys()) write(writeBeneficialUse(use, categoriesOf(use)));
    } else if (kind === 'Sites' || kind === 'ReportingUnits') {
      await writePlaces(input, write);
    } else {
      const itemOf = itemWriters[kind] as (row: unknown) => string; // Its rows are those of the kind's table.
      for (const [, row] of referencedRows(tableOfKind[kind], staged, staging)) write(itemOf(row));
    }
  }
}

const itemWriters = { VariableSpecifics: writeVariable, Methods: writeMethod, WaterSources: writeWaterSource };

/** Places to which no record refers leave their source rows alone. */
async function writePlaces(input: LookupsInput, write: (json: string) => void): Promise<void> {
  const { staged, staging, organization, writer, observer } = input;
  const { lookups, sources, placeTexts, placeTerms, names, placeIndex, placeColumns } = input;
  const { kind, placeTable } = staged.definition;
  const identifierField = placeTable === 'sites' ? 'site' : 'reportingUnit';
  const podsOf = relationsOfPlaces(placeTable === 'sites' ? relationsOfUses(input) : []);
  const pousOf = relationsOfPlaces(placeTable === 'sites' ? relationsOfDiversions(staging) : []);
  let rank = 0;
  await addInTurns(staging.lookups(placeTable).rows(), writer, (place) => {
    sources.add(lookupFiles[placeTable].name, place.source);
    const { id, geometry } = place;
    const [pods, pous] = [podsOf(id), pousOf(id)];
    if (staged.referenced.marks[placeTable][place.number] !== 1) return place.source.length;
    const found = place.waterSources.map((source) => lookups.waterSource(source));
    const row: Readonly<Record<string, CellValue>> = place.row();
    const state = organization.OrganizationState;
    const { item, text, point, coordinates, name, nativeId, values } = placeOf(kind, row, {
      sources: found,
      pods,
      pous,
      state,
    });
    write(item);
    placeTexts.add(text);
    const term = filterTerm(identifierField, id);
    placeTerms.add(term, rank);
    names.addPlace({ name, identifiers: [id, nativeId] });
    const box = placeIndex.addPlace(point, geometry);
    const isDetailed = SITE_DETAILS.some((name) => (row[name] ?? null) !== null);
    placeColumns.add({ id, box, hash: placeHash(term, rank), isDetailed, values, sources: place.waterSources });
    const isWithoutText = (row['Geometry'] ?? null) === null;
    const geometryGiven = isWithoutText ? 'none' : geometry === null ? 'unusable' : 'usable';
    observer.addPlace({ id, box, point, coordinates, geometry: geometryGiven });
    rank++;
    return place.source.length + item.length;
  });
  placeTerms.save();
  names.save();
}

/** Rows are added until they and what is made of them have so many bytes; then the store is waited for. */
const TURN_BYTES = 512 * 1024;

/** `add` returns how many bytes it has made of a row. */
export async function addInTurns<Row>(
  rows: Iterable<Row>,
  writer: Pick<ReleaseWriter, 'drain'>,
  add: (row: Row) => number,
): Promise<void> {
  let bytes = 0;
  for (const row of rows) {
    bytes += add(row);
    if (bytes < TURN_BYTES) continue;
    await writer.drain();
    bytes = 0;
  }
}

/** What follows from the row of a place; `state` is the two-letter code of its organization. */
function placeOf(
  kind: DataSetKind,
  row: Readonly<Record<string, CellValue>>,
  { state: organizationState, ...related }: SiteLookups & { readonly state: string },
) {
  // The staged values are those of the kind's file of places.
  if (kind === 'AggregatedAmounts') {
    const unit = row as Readonly<Record<string, unknown>> as ReportingUnitRow;
    const values = fieldValuesOf(kind, 'reportingUnit', { ...unit, organizationState });
    const [point, coordinates] = [undefined, [null, null] as const];
    const { ReportingUnitName: name, ReportingUnitNativeID: nativeId } = unit;
    const texts = { item: writeReportingUnit(unit), text: reportingUnitText(unit), name, nativeId };
    return { ...texts, point, coordinates, values };
  }
  const site = row as Readonly<Record<string, unknown>> as SiteRow;
  return {
    ...{ item: writeSite(site, related), text: siteText(kind, site), name: site.SiteName, nativeId: site.SiteNativeID },
    point: readPoint(site.Longitude, site.Latitude),
    coordinates: [site.Longitude, site.Latitude] as const,
    values: fieldValuesOf(kind, 'site', { ...site, organizationState }),
  };
}

/** A relation beside the place whose it is. */
interface PlacedRelation {
  readonly place: string;
  readonly related: RelatedSite;
}

/** In the order of the points of diversion, then in that of D29. */
function* relationsOfDiversions(staging: Staging): Iterable<PlacedRelation> {
  for (const { row } of staging.lookups('relations').rows()) {
    const { PODSiteUUID: place, POUSiteUUID: SiteUUID, StartDate, EndDate } = row();
    yield { place, related: { SiteUUID, StartDate, EndDate } };
  }
}

/** In the order of the places of use, then in that of D29. */
function* relationsOfUses({ staging, relationsOfUses: sorted }: LookupsInput): Iterable<PlacedRelation> {
  for (const { place: pod, related } of relationsOfDiversions(staging)) {
    const { SiteUUID: place, ...dates } = related;
    const relation: PlacedRelation = { place, related: { SiteUUID: pod, ...dates } };
    sorted.add(sortableKey([place, pod, dates.StartDate, dates.EndDate]), JSON.stringify(relation));
  }
  for (const row of sorted.rows()) yield JSON.parse(row.part(0).toString()) as PlacedRelation; // Written above.
}

/** Gives the relations of each place, which is to be asked for in the order of places, as the relations come. */
function relationsOfPlaces(relations: Iterable<PlacedRelation>): (id: string) => readonly RelatedSite[] {
  const rest = relations[Symbol.iterator]();
  let next = rest.next();
  return (id) => {
    const found: RelatedSite[] = [];
    for (; next.done !== true && compareUtf8(next.value.place, id) <= 0; next = rest.next()) {
      if (next.value.place === id) found.push(next.value.related);
    }
    return found;
  };
}
