// The geometries of features as JSON, made of the JSON texts of places. Areas, which take longer to read than the rest
// of a page, stay in memory while there is room.

import type { PlaceKind } from '../../records/data-sets';
import type { SearchCaches } from '../../search/index/search-caches';
import { joinParts } from '../../store/fragments';
import type { JoinedFragments } from '../../store/port';
import type { ByteWriter } from '../../values/bytes/byte-writer';
import { LATITUDE_LIMIT, LONGITUDE_LIMIT } from '../../values/boundary/geometry-rules';
import { CRS84, projectedGeometry, type CoordinateSystem } from '../../values/coordinate-systems';
import { isNull } from '../../values/bytes/json-values';
import { numberAt, readPoint } from '../../values/numbers';
import { geometryMembers, placeGeometry } from '../write-geojson';
import { NumberText } from './number-texts';
import { PolygonTexts } from './polygon-texts';

/** The members of a place that say where it lies. */
export const LYING_MEMBERS = {
  Sites: ['Longitude', 'Latitude', geometryMembers.Sites],
  ReportingUnits: [geometryMembers.ReportingUnits],
} as const satisfies Readonly<Record<PlaceKind, readonly string[]>>;

/** A longer text is no part of the bytes that are written: it is copied once, into the answer. */
const LONG = 1_000;

/** What the geometries of a slice are of. */
export interface GeometrySource {
  readonly placeKind: PlaceKind;
  /** Names the texts of the places: the same places have the same geometries under it. */
  readonly source: string;
  readonly system: CoordinateSystem;
  readonly caches: SearchCaches;
}

/** The texts of places: pairs of start and end in `positions`, from the pair `first` on those of LYING_MEMBERS. */
export interface PlaceAt {
  readonly bytes: Buffer;
  readonly positions: Uint32Array;
  readonly first: number;
}

export class GeometryWriter {
  private readonly lyingMembers: readonly string[];
  private readonly polygons: PolygonTexts;
  private readonly number = new NumberText();

  constructor(
    private readonly of: GeometrySource,
    private readonly target: ByteWriter,
  ) {
    this.lyingMembers = LYING_MEMBERS[of.placeKind];
    this.polygons = new PolygonTexts(target);
  }

  /** Writes the geometry of a place, or returns one that is long; `idText` names the place. */
  write(place: PlaceAt, idText: () => string): JoinedFragments | undefined {
    const { target, lyingMembers } = this;
    const { bytes, positions, first } = place;
    if (!isNull(bytes, numberAt(positions, 2 * (first + lyingMembers.length - 1))))
      return this.writeArea(place, idText);
    const start = target.length;
    target.ascii('{"type":"Point","coordinates":');
    if (this.of.placeKind === 'Sites' && this.writePosition(place)) {
      target.ascii('}');
    } else {
      target.endAt(start);
      target.ascii('null');
    }
    return undefined;
  }

  private writeArea(place: PlaceAt, idText: () => string): JoinedFragments | undefined {
    const { source, system, caches } = this.of;
    const known = caches.partOf<Buffer>('geometryTexts');
    const key = `${source} ${system.name} ${idText()}`;
    let text = known.get(key);
    if (text === undefined) {
      text = this.areaText(place);
      known.set(key, text, text.length);
    }
    if (text.length >= LONG) return joinParts([text]);
    this.target.copyAll(text);
    return undefined;
  }

  private areaText({ bytes, positions, first }: PlaceAt): Buffer {
    const { placeKind, system } = this.of;
    const { target, polygons, lyingMembers } = this;
    const area = 2 * (first + lyingMembers.length - 1);
    const before = target.length;
    if (system === CRS84 && polygons.write(bytes, numberAt(positions, area), numberAt(positions, area + 1))) {
      const text = Buffer.from(target.bytes(before));
      target.endAt(before);
      return text;
    }
    const values = lyingMembers.map((name, index) => {
      const [start, end] = [positions[2 * (first + index)], positions[2 * (first + index) + 1]];
      return [name, JSON.parse(bytes.toString('utf8', start, end)) as unknown] as const;
    });
    const { geometry } = placeGeometry(placeKind, Object.fromEntries(values));
    return Buffer.from(geometry === null ? 'null' : JSON.stringify(projectedGeometry(geometry, system)));
  }

  /** Writes the coordinates of a site; nothing and false where it has no point. */
  writePosition({ bytes, positions, first }: PlaceAt): boolean {
    const { target } = this;
    const { system } = this.of;
    // The texts are in quotes.
    const [longitudeStart, longitudeEnd] = [numberAt(positions, 2 * first) + 1, numberAt(positions, 2 * first + 1) - 1];
    const [latitudeStart, latitudeEnd] = [
      numberAt(positions, 2 * first + 2) + 1,
      numberAt(positions, 2 * first + 3) - 1,
    ];
    const shortLongitudeEnd = this.shortestEnd(bytes, longitudeStart, longitudeEnd, LONGITUDE_LIMIT);
    const shortLatitudeEnd = this.shortestEnd(bytes, latitudeStart, latitudeEnd, LATITUDE_LIMIT);
    if (system === CRS84 && shortLongitudeEnd !== undefined && shortLatitudeEnd !== undefined) {
      target.ascii('[');
      target.copy(bytes, longitudeStart, shortLongitudeEnd);
      target.ascii(',');
      target.copy(bytes, latitudeStart, shortLatitudeEnd);
      target.ascii(']');
      return true;
    }
    if (isNull(bytes, longitudeStart - 1) || isNull(bytes, latitudeStart - 1)) return false;
    // Numbers stand in texts, which have no escapes.
    const point = readPoint(
      bytes.toString('latin1', longitudeStart, longitudeEnd),
      bytes.toString('latin1', latitudeStart, latitudeEnd),
    );
    if (point === undefined) return false;
    target.ascii(JSON.stringify(system.fromDegrees([point.longitude, point.latitude])));
    return true;
  }

  /** Where a number within the limit ends as JSON writes it; undefined where the text does not begin so. */
  private shortestEnd(bytes: Buffer, start: number, end: number, limit: number): number | undefined {
    const { number } = this;
    const isNumber = number.read(bytes, start) && number.end === end;
    return isNumber && number.isShortest && Math.abs(number.value) <= limit ? number.shortestEnd : undefined;
  }
}
