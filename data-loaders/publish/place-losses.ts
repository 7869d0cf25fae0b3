// Finds losses in a release that are not removed records (D74): places that are gone, and lost positions and relations
// of the remaining places.

import { type DataSetKind, dataSetLayouts } from '../../shared/records/data-sets';
import { KeyTable } from '../../shared/search/fingerprints';
import { toListText } from '../../shared/store/joined-fragments';
import type { ReleaseReader } from '../../shared/store/port';
import type { ObservedPlace } from '../build/release-observer';
import { CountedExamples } from '../format/counted-examples';
import { type Hold, MAX_EXAMPLES_SHOWN } from '../format/report';
import { findGoneHold } from './holds';
import { listFeatures, PLACE_FEATURES, type PlacePositions, type Position } from './place-positions';
import { getPlaceWords } from './place-words';

/** Losses that other holds report or that are intended. */
export interface ExplainedLosses {
  /** The number of place links of records that are gone or deleted. Each link may explain why a place is gone. */
  readonly linksOfGoneRecords: number;
  /** The number of relations that a merge deletes. */
  readonly deletedRelations: number;
}

/**
 * Counts the places that lost something (such as coordinates) that they had in the previous release, out of all
 * remaining places that had it.
 */
class LostFeature extends CountedExamples<Hold['examples'][number]> {
  of = 0;
}

/** Each relation is counted at both of its sites. */
const ENDS_OF_RELATION = 2;

export class PlaceLosses {
  private readonly table: KeyTable;
  /** Keyed by the place's index in the previous release: 1 if the place stays. */
  private readonly staying: Uint8Array;
  private stayingCount = 0;
  private readonly coordinates = new LostFeature();
  private readonly geometries = new LostFeature();
  private readonly relations = { of: 0, gone: 0, examples: new CountedExamples<Hold['examples'][number]>() };

  constructor(
    private readonly kind: DataSetKind,
    private readonly previous: PlacePositions,
  ) {
    this.table = KeyTable.from(previous.keys);
    this.staying = new Uint8Array(previous.keys.length);
  }

  /** Returns the place's position in the previous release; undefined if it had none. */
  addPlace(key: number, place: ObservedPlace): Position | undefined {
    const index = this.table.indexOf(key);
    if (index === undefined) return undefined;
    if (this.staying[index] === 0) this.stayingCount++;
    this.staying[index] = 1;
    const position = this.getPosition(index);
    this.compareFeatures(index, place, position);
    this.compareRelations(index, place);
    return position;
  }

  /** `reader` reads the previous release. */
  async findHolds(explained: ExplainedLosses, reader: ReleaseReader): Promise<readonly Hold[]> {
    const { noun } = getPlaceWords(this.kind);
    const { coordinates, geometries, relations } = this;
    const count = relations.gone - explained.deletedRelations * ENDS_OF_RELATION;
    const ends = { count, of: relations.of, examples: relations.examples.examples };
    return [
      ...(await this.findPlacesGone(explained, reader)),
      ...findGoneHold('place-links-gone', ends, ['ends of relations between sites that stay', 'would be removed']),
      ...findGoneHold('positions-gone', coordinates, [`${noun}s that have coordinates`, 'would lose them']),
      ...findGoneHold('positions-gone', geometries, [`${noun}s that have a geometry`, 'would lose it']),
    ];
  }

  /** The key of an amount contains its place, so the place is gone only if all its amounts are. */
  private async findPlacesGone(explained: ExplainedLosses, reader: ReleaseReader): Promise<readonly Hold[]> {
    if (this.kind !== 'WaterAllocations') return [];
    const of = this.previous.keys.length;
    const count = of - this.stayingCount - explained.linksOfGoneRecords;
    const predicate = 'would be removed, although the rights that list them stay';
    const holds = findGoneHold('places-gone', { count, of, examples: [] }, ['published sites', predicate]);
    if (holds.length === 0) return [];
    const examples = await this.readGonePlaces(reader);
    return holds.map((hold) => ({ ...hold, examples }));
  }

  private getPosition(index: number): Position | undefined {
    const [longitude, latitude] = this.previous.positions.subarray(2 * index, 2 * index + 2);
    if (longitude === undefined || latitude === undefined) throw new Error('a place was stored without its position');
    return Number.isNaN(longitude) ? undefined : [longitude, latitude];
  }

  private compareFeatures(index: number, place: ObservedPlace, position: Position | undefined): void {
    const before = this.previous.features[index];
    const after = listFeatures(place);
    const identity = { [getPlaceWords(this.kind).member]: place.id };
    const loseCoordinates = (): void => {
      this.coordinates.add(() => ({ identity, member: null, before: position?.join(' ') ?? null, after: null }));
    };
    // An older release without stored features lists only places with a position, from coordinates or a geometry.
    if (before === undefined) {
      this.coordinates.of++;
      if (after === 0) loseCoordinates();
      return;
    }
    if ((before & PLACE_FEATURES.coordinates) !== 0) {
      this.coordinates.of++;
      if ((after & PLACE_FEATURES.coordinates) === 0) loseCoordinates();
    }
    if ((before & PLACE_FEATURES.geometry) === 0) return;
    this.geometries.of++;
    if ((after & PLACE_FEATURES.geometry) === 0)
      this.geometries.add(() => ({ identity, member: 'Geometry', before: 'usable', after: null }));
  }

  private compareRelations(index: number, { id, relations: after }: ObservedPlace): void {
    const before = this.previous.relations[index] ?? 0;
    this.relations.of += before;
    if (after >= before) return;
    this.relations.gone += before - after;
    const identity = { [getPlaceWords(this.kind).member]: id };
    this.relations.examples.add(() => ({ identity, member: 'relations', before, after }));
  }

  /**
   * The identifiers of the first places that are gone. An older release without stored features does not list all
   * places.
   */
  private async readGonePlaces(reader: ReleaseReader): Promise<Hold['examples']> {
    if (this.previous.features.length < this.previous.keys.length) return [];
    const { member } = getPlaceWords(this.kind);
    const numbers = Uint32Array.from(this.findFirstGone(), (rank) => rank + countLookupsBefore(this.kind, reader));
    const texts = toListText(await reader.texts('lookups', numbers));
    const places = JSON.parse(texts) as readonly Readonly<Record<string, unknown>>[]; // Lookups are JSON objects.
    return places.map((place) => {
      const id = place[member];
      return { identity: { [member]: typeof id === 'string' ? id : '' }, member: null, before: null, after: null };
    });
  }

  private findFirstGone(): readonly number[] {
    const ranks: number[] = [];
    let rank = this.staying.indexOf(0);
    while (rank !== -1 && ranks.length < MAX_EXAMPLES_SHOWN) {
      ranks.push(rank);
      rank = this.staying.indexOf(0, rank + 1);
    }
    return ranks;
  }
}

/** The number of the first place among the lookups of a release. */
function countLookupsBefore(kind: DataSetKind, { facts }: ReleaseReader): number {
  const { placeKind } = dataSetLayouts[kind];
  const index = facts.lookups.findIndex((lookups) => lookups.kind === placeKind);
  return facts.lookups.slice(0, index).reduce((sum, { count }) => sum + count, 0);
}
