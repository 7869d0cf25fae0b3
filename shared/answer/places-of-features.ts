// The places of GeoJSON features: each lookup becomes the text of its geometry and of what it adds to a feature's properties.

import type { DataSetLayout } from '../records/data-sets';
import { lookupIdentifiers, lookupMembers } from '../records/lookups';
import type { Item } from '../records/record-references';
import { joinParts } from '../store/fragments';
import type { JoinedFragments } from '../store/port';
import { readGeometry } from '../values/boundary/boundary';
import type { Geometry } from '../values/geometry';
import { readPoint } from '../values/point';
import { withRightHandRule } from '../values/right-hand-rule';

export interface FeaturePlace {
  readonly identifier: string;
  /** JSON. */
  readonly geometry: JoinedFragments;
  /** JSON members, a comma before each. */
  readonly properties: string;
}

/** The geometry's text where it cannot be read, else null. */
const UNREADABLE = 'UnreadableGeometry';

const geometryMembers = { Sites: 'SiteGeometry', ReportingUnits: 'Geometry' } as const;

export class FeaturePlaces {
  private readonly names: readonly string[];
  private readonly places: ReadonlyMap<unknown, FeaturePlace>;
  /** What a record without a place has instead. */
  readonly none: FeaturePlace;

  constructor(
    private readonly layout: DataSetLayout,
    items: readonly Item[],
  ) {
    const { placeKind, recordMembers } = layout;
    // Lists and geometries are no properties that a map can show.
    this.names = Object.entries(lookupMembers[placeKind])
      .filter(
        ([name, { schema }]) => schema['type'] !== 'array' && !name.endsWith('Geometry') && !(name in recordMembers),
      )
      .map(([name]) => name);
    this.none = this.placeOf({}, '');
    const identifier = lookupIdentifiers[placeKind];
    this.places = new Map(items.map((item) => [item[identifier], this.placeOf(item, String(item[identifier]))]));
  }

  find(identifier: string): FeaturePlace {
    return this.places.get(identifier) ?? this.none;
  }

  private placeOf(item: Item, identifier: string): FeaturePlace {
    const text = textOf(item[geometryMembers[this.layout.placeKind]]);
    const read = text === null ? undefined : readGeometry(text);
    const geometry = read?.ok === true ? withRightHandRule(read.value) : pointOf(item);
    const unreadable = read?.ok === false ? text : null;
    const members = [
      ...this.names.map((name) => [name, item[name] ?? null] as const),
      [UNREADABLE, unreadable] as const,
    ];
    const properties = members.map(([name, value]) => `,"${name}":${JSON.stringify(value)}`).join('');
    return { identifier, geometry: joinParts([Buffer.from(JSON.stringify(geometry))]), properties };
  }
}

/** A site without a geometry that can be read lies at its point (ADR 0009). */
function pointOf({ Longitude, Latitude }: Item): Geometry | null {
  const point = readPoint(textOf(Longitude), textOf(Latitude));
  return point === undefined ? null : { type: 'Point', coordinates: [point.longitude, point.latitude] };
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}
