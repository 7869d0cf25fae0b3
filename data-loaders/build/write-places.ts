// Writes the places of a release in the order of their ranks, and indexes them. The record builder makes their texts
// meanwhile (ADR 0046).

import type { ReleaseWriter } from '../../shared/store/port';
import type { Box } from '../../shared/values/geometry';
import { numberAt, type Point } from '../../shared/values/numbers';
import { compareUtf8 } from '../../shared/values/text';
import { lookupFiles } from '../format/submission-files';
import type { ReferencedLookups } from '../stage/references';
import type { SourceTextWriter } from '../stage/source-text';
import type { StagedPlace } from '../stage/staged-places';
import type { PlacedRelation, StagedRelation } from '../stage/staged-relations';
import type { PlaceIndexWriter, PlaceToIndex } from './index/place-index-writer';
import type { ReleaseLookups, ReleaseLookupsInput } from './index/release-lookups';
import { joinRows } from './joined-rows';
import { BATCH_BYTES, PendingBatches, type AsyncRecordBuilder } from './pending-batches';
import type { PlaceRelations } from './place-builder';
import type { BuiltPlaceBatch } from './record-builder';
import { LOOKUP_DIGEST_BYTES, type LookupDigests } from './release-digest';

export interface PlacesInput extends ReleaseLookupsInput {
  readonly referenced: ReferencedLookups;
  readonly lookups: ReleaseLookups;
  readonly writer: ReleaseWriter;
  readonly digests: LookupDigests;
  readonly places: PlaceIndexWriter;
  readonly builder: AsyncRecordBuilder;
  readonly observer: { addPlace(id: string, box: Box): void };
  readonly sources: SourceTextWriter;
}

const BATCH_PLACES = 250;

/** What the loader itself goes on with when the texts of a place come back. */
interface SentPlace extends Pick<StagedPlace, 'id' | 'geometry'> {
  readonly sources: readonly number[];
}

/** Places to which no record refers leave their source rows alone. */
export async function writePlaceLookups(input: PlacesInput): Promise<void> {
  const { staging, definition, referenced, sources } = input;
  const table = definition.placeTable;
  const pods = new RelationCursor(table === 'sites' ? staging.relations.podsOfPous() : []);
  const pous = new RelationCursor(table === 'sites' ? staging.relations.pousOfPods() : []);
  const batches = new PlaceBatches(input);
  for (const place of staging.stagedPlaces(table)) {
    sources.add(lookupFiles[table].name, place.source);
    if (sources.isFull) await sources.drain();
    const related = { pods: pods.of(place.id), pous: pous.of(place.id) };
    if (referenced.has(table, place.number)) batches.addPlace(place, related);
    if (!batches.isBatchFull) continue;
    await batches.send();
    await input.writer.drain();
  }
  await batches.finish();
}

class PlaceBatches {
  private readonly pending = new PendingBatches<BuiltPlaceBatch>();
  private readonly sentSources = new Set<number>();
  private bytes = 0;
  private rows: Buffer[] = [];
  private relations: PlaceRelations[] = [];
  private newSources: { id: string; type: string | null }[] = [];
  private indexed: SentPlace[] = [];

  constructor(private readonly input: PlacesInput) {}

  get isBatchFull(): boolean {
    return this.rows.length >= BATCH_PLACES || this.bytes >= BATCH_BYTES;
  }

  addPlace({ id, row, waterSources, geometry }: StagedPlace, { pods, pous }: Omit<PlaceRelations, 'index'>): void {
    const index = this.rows.push(row) - 1;
    this.bytes += row.length;
    if (pods.length + pous.length > 0) this.relations.push({ index, pods, pous });
    const sources = waterSources.map((staged) => this.input.lookups.waterSourceOfPlace(staged));
    for (const { number, id: sourceId, type } of sources) {
      if (this.sentSources.has(number)) continue;
      this.sentSources.add(number);
      this.newSources.push({ id: sourceId, type });
    }
    this.indexed.push({ id, geometry, sources: sources.map(({ number }) => number) });
  }

  async send(): Promise<void> {
    const { bytes } = this;
    this.sendOpen();
    await this.pending.settle(bytes);
  }

  async finish(): Promise<void> {
    this.sendOpen();
    await this.pending.finish();
  }

  private sendOpen(): void {
    const { indexed, relations, newSources } = this;
    const memory = this.pending.freeMemory();
    const joined = joinRows(this.rows, memory.input);
    const built = this.input.builder.buildPlaces({ ...joined, relations, newSources, memory: memory.texts });
    this.pending.add(built, (places) => {
      this.index(places, indexed);
    });
    [this.rows, this.relations, this.newSources, this.indexed] = [[], [], [], []];
    this.bytes = 0;
  }

  private index(built: BuiltPlaceBatch, batch: readonly SentPlace[]): void {
    const { writer, digests, lookups, siteDetails } = this.input;
    const { texts, ends, terms, termEnds } = built;
    lookups.addPlaceTerms(built.newTerms);
    batch.forEach((place, index) => {
      const before = index - 1;
      writer.addFragment(
        'lookups',
        texts.subarray(index === 0 ? 0 : numberAt(ends, before) + 1, numberAt(ends, index)),
      );
      digests.addDigest(built.digests.subarray(index * LOOKUP_DIGEST_BYTES, (index + 1) * LOOKUP_DIGEST_BYTES));
      this.indexPlace(place, { point: pointAt(built.points, index), hash: numberAt(built.hashes, index) });
      const ofPlace = terms.subarray(index === 0 ? 0 : numberAt(termEnds, before), numberAt(termEnds, index));
      lookups.addPlace(ofPlace, place.sources);
      siteDetails.addPlace(built.detailed[index] === 1);
    });
  }

  private indexPlace({ id, geometry }: SentPlace, built: Omit<PlaceToIndex, 'geometry'>): void {
    const { places, placeColumns, observer } = this.input;
    const box = places.addPlace({ ...built, geometry });
    placeColumns.addPlace(id, box);
    if (box !== undefined) observer.addPlace(id, box);
  }
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
