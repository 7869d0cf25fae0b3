// Writes the lookups of a release in the order of their numbers, and indexes its places. The record builder makes the
// texts of places meanwhile (ADR 0046).

import { dataSetLayouts, lookupKindsOf } from '../../shared/records/data-sets';
import type { LookupKind } from '../../shared/records/lookups';
import type { ReleaseWriter } from '../../shared/store/port';
import type { Box } from '../../shared/values/geometry';
import { numberAt, type Point } from '../../shared/values/numbers';
import { compareUtf8 } from '../../shared/values/text';
import { lookupFiles, type MethodRow, type VariableRow, type WaterSourceRow } from '../format/submission-files';
import type { SourceTextWriter } from '../stage/source-text';
import type { ReferencedLookups } from '../stage/staged-amounts';
import type { StagedPlace } from '../stage/staged-places';
import type { PlacedRelation, StagedRelation } from '../stage/staged-tables';
import { inBatches, PendingBatches, type AsyncRecordBuilder } from './builder-thread';
import type { BuiltPlaces, PlaceBatch } from './place-builder';
import type { PlaceIndexWriter } from './place-index';
import { joinedRows } from './record-builder';
import { LOOKUP_DIGEST_BYTES, type LookupDigests } from './release-digests';
import { writeBeneficialUse, writeMethod, writeVariable, writeWaterSource } from './release-json';
import { tableOfKind, type ReleaseLookups, type ReleaseLookupsInput } from './release-lookups';

interface LookupsInput extends ReleaseLookupsInput {
  readonly referenced: ReferencedLookups;
  readonly lookups: ReleaseLookups;
  readonly writer: ReleaseWriter;
  readonly digests: LookupDigests;
  readonly placeIndex: PlaceIndexWriter;
  readonly builder: AsyncRecordBuilder;
  readonly observer: { addPlace(id: string, box: Box): void };
  readonly sources: SourceTextWriter;
}

export async function writeLookups(input: LookupsInput): Promise<void> {
  const { definition, staging, referenced, numbers, categoriesOf } = input;
  for (const kind of lookupKindsOf(dataSetLayouts[definition.kind])) {
    switch (kind) {
      case 'BeneficialUses':
        for (const use of numbers.uses()) write(input, writeBeneficialUse(use, categoriesOf(use)));
        break;
      case 'Sites':
      case 'ReportingUnits':
        await writePlaceLookups(input);
        break;
      case 'VariableSpecifics':
      case 'Methods':
      case 'WaterSources': {
        const table = tableOfKind[kind];
        for (const { number, row } of staging.lookups(table)) {
          if (referenced.has(table, number)) write(input, itemOf(kind, JSON.parse(row)));
        }
      }
    }
  }
}

type SmallKind = Exclude<LookupKind, 'BeneficialUses' | 'Sites' | 'ReportingUnits'>;

/** The JSON text of a lookup, whose row stageLookups staged. */
function itemOf(kind: SmallKind, row: unknown): string {
  switch (kind) {
    case 'VariableSpecifics':
      return writeVariable(row as VariableRow);
    case 'Methods':
      return writeMethod(row as MethodRow);
    case 'WaterSources':
      return writeWaterSource(row as WaterSourceRow);
  }
}

function write({ writer, digests }: LookupsInput, json: string): void {
  writer.addFragment('lookups', json);
  digests.add(json);
}

/** A place with what else is written of it. */
interface RelatedPlace extends StagedPlace {
  readonly pods: readonly StagedRelation[];
  readonly pous: readonly StagedRelation[];
}

/** Places to which no record refers leave their source rows alone. */
async function writePlaceLookups(input: LookupsInput): Promise<void> {
  const { definition, referenced, sources, builder, writer } = input;
  const table = definition.placeTable;
  const pending = new PendingBatches();
  const sentSources = new Set<number>();
  for (const { rows, bytes } of inBatches(relatedPlaces(input))) {
    for (const { source } of rows) {
      sources.add(lookupFiles[table].name, source);
      if (sources.isFull) await sources.drain();
    }
    const places = rows.filter(({ number }) => referenced.has(table, number));
    if (places.length === 0) continue;
    const { batch, sourcesOfPlaces } = batchOf(places, input, sentSources);
    pending.add(builder.buildPlaces(batch), (built) => {
      indexPlaces(built, places, sourcesOfPlaces, input);
    });
    await pending.settle(bytes);
    await writer.drain();
  }
  await pending.finish();
}

function* relatedPlaces({ staging, definition: { placeTable: table } }: LookupsInput): Iterable<RelatedPlace> {
  const pods = new RelationCursor(table === 'sites' ? staging.relations.podsOfPous() : []);
  const pous = new RelationCursor(table === 'sites' ? staging.relations.pousOfPods() : []);
  for (const place of staging.stagedPlaces(table)) yield { ...place, pods: pods.of(place.id), pous: pous.of(place.id) };
}

/** `sentSources` are the water sources that the builder knows. */
function batchOf(
  places: readonly RelatedPlace[],
  { lookups }: LookupsInput,
  sentSources: Set<number>,
): { readonly batch: PlaceBatch; readonly sourcesOfPlaces: readonly (readonly number[])[] } {
  const newSources: { id: string; type: string | null }[] = [];
  const sourcesOfPlaces = places.map(({ waterSources }) =>
    waterSources.map((staged) => {
      const { number, id, type } = lookups.waterSourceOfPlace(staged);
      if (!sentSources.has(number)) newSources.push({ id, type });
      sentSources.add(number);
      return number;
    }),
  );
  const relations = places.flatMap(({ pods, pous }, index) =>
    pods.length + pous.length === 0 ? [] : [{ index, pods, pous }],
  );
  return { batch: { rows: joinedRows(places), relations, newSources }, sourcesOfPlaces };
}

function indexPlaces(
  built: BuiltPlaces,
  places: readonly RelatedPlace[],
  sourcesOfPlaces: readonly (readonly number[])[],
  { writer, digests, placeIndex, placeColumns, observer }: LookupsInput,
): void {
  const { texts, ends, terms, termEnds } = built;
  placeColumns.addTerms(built.newTerms);
  places.forEach(({ id, geometry }, index) => {
    const before = index - 1;
    const textStart = index === 0 ? 0 : numberAt(ends, before) + 1;
    writer.addFragment('lookups', texts.subarray(textStart, numberAt(ends, index)));
    digests.addDigest(built.digests.subarray(index * LOOKUP_DIGEST_BYTES, (index + 1) * LOOKUP_DIGEST_BYTES));
    const box = placeIndex.addPlace(pointAt(built.points, index), geometry);
    const ofPlace = terms.subarray(index === 0 ? 0 : numberAt(termEnds, before), numberAt(termEnds, index));
    placeColumns.add({
      ...{ id, box, hash: numberAt(built.hashes, index), isDetailed: built.detailed[index] === 1 },
      ...{ terms: ofPlace, sources: sourcesOfPlaces[index] ?? [] },
    });
    if (box !== undefined) observer.addPlace(id, box);
  });
}

/** Walks through relations that stand in the order of places, beside the places. */
class RelationCursor {
  private readonly relations: Iterator<PlacedRelation>;
  private next: PlacedRelation | undefined;

  constructor(relations: Iterable<PlacedRelation>) {
    this.relations = relations[Symbol.iterator]();
    this.advance();
  }

  /** Places are asked for in their order. */
  of(id: string): readonly StagedRelation[] {
    const found: StagedRelation[] = [];
    while (this.next !== undefined && isNotBehind(this.next.place, id)) {
      const { place, site, start, end } = this.next;
      if (place === id) found.push({ site, start, end });
      this.advance();
    }
    return found;
  }

  private advance(): void {
    const next = this.relations.next();
    this.next = next.done === true ? undefined : next.value;
  }
}

/** Most places have the relation that comes next, or stand before it. */
function isNotBehind(place: string, id: string): boolean {
  return place === id || compareUtf8(place, id) < 0;
}

function pointAt(points: Float64Array, index: number): Point | undefined {
  const longitude = numberAt(points, 2 * index);
  return Number.isNaN(longitude) ? undefined : { longitude, latitude: numberAt(points, 2 * index + 1) };
}
