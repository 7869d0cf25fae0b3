// Writes one layer of a vector tile (Mapbox Vector Tile 2.1). A layer contains each name and each value once, and
// features refer to them by number.

import { PbfWriter } from 'pbf';
import { getOrAssignNumber } from '../values/maps';
import { TILE_EXTENT } from './tile-grid';

type TileValue = string | number;

/** For each member of a feature, the number of its name and the number of its value. */
export type Tags = number[];

const VERSION = 2;

/** Types of geometry in the format. */
export const GEOMETRY_TYPES = { points: 1, lines: 2, polygons: 3 } as const;

/** Numbers of the fields of the format. */
const TILE = { layer: 3 } as const;
const LAYER = { name: 1, feature: 2, key: 3, value: 4, extent: 5, version: 15 } as const;
const FEATURE = { tags: 2, type: 3, geometry: 4 } as const;
const VALUE = { text: 1, double: 3, unsigned: 5 } as const;

/**
 * The commands of a geometry. An element has the command in its three lowest bits and the number of repetitions above
 * them.
 */
const MOVE_TO = 1;
const LINE_TO = 2;
const CLOSE = 7;

interface Feature {
  readonly type: number;
  readonly tags: Tags;
  /** Commands with their arguments. */
  readonly geometry: number[];
}

export class LayerWriter {
  private readonly features = new PbfWriter();
  private readonly names = new Map<string, number>();
  private readonly values = new Map<TileValue, number>();

  /** Adds a member to the tags of a feature, unless the value is null. */
  tag(tags: Tags, name: string, value: TileValue | null): void {
    if (value !== null) tags.push(getOrAssignNumber(this.names, name), getOrAssignNumber(this.values, value));
  }

  /** Adds a feature. Parts are points, lines, or rings that repeat their first position at the end, as x, y, x, y. */
  add(
    type: (typeof GEOMETRY_TYPES)[keyof typeof GEOMETRY_TYPES],
    parts: readonly ArrayLike<number>[],
    tags: Tags,
  ): void {
    const geometry: number[] = [];
    let lastX = 0;
    let lastY = 0;
    for (const part of parts) {
      const isRing = type === GEOMETRY_TYPES.polygons;
      const positions = part.length / 2 - (isRing ? 1 : 0);
      const moves = type === GEOMETRY_TYPES.points ? positions : 1;
      geometry.push(toCommand(MOVE_TO, moves));
      for (let position = 0; position < positions; position++) {
        if (position === moves) geometry.push(toCommand(LINE_TO, positions - 1));
        const x = part[2 * position] ?? NaN;
        const y = part[2 * position + 1] ?? NaN;
        geometry.push(toZigzag(x - lastX), toZigzag(y - lastY));
        lastX = x;
        lastY = y;
      }
      if (isRing) geometry.push(toCommand(CLOSE, 1));
    }
    this.features.writeMessage(LAYER.feature, writeFeature, { type, tags, geometry });
  }

  /** Returns the bytes of a tile that contains only this layer. */
  finish(name: string): Uint8Array {
    const layer = new PbfWriter();
    layer.writeVarintField(LAYER.version, VERSION);
    layer.writeStringField(LAYER.name, name);
    layer.writeVarintField(LAYER.extent, TILE_EXTENT);
    for (const member of this.names.keys()) layer.writeStringField(LAYER.key, member);
    for (const value of this.values.keys()) layer.writeMessage(LAYER.value, writeValue, value);
    const tile = new PbfWriter();
    tile.writeBytesField(TILE.layer, Buffer.concat([layer.finish(), this.features.finish()]));
    return tile.finish();
  }
}

function writeFeature({ type, tags, geometry }: Feature, writer: PbfWriter): void {
  writer.writePackedVarint(FEATURE.tags, tags);
  writer.writeVarintField(FEATURE.type, type);
  writer.writePackedVarint(FEATURE.geometry, geometry);
}

function writeValue(value: TileValue, writer: PbfWriter): void {
  if (typeof value === 'string') writer.writeStringField(VALUE.text, value);
  else if (Number.isSafeInteger(value) && value >= 0) writer.writeVarintField(VALUE.unsigned, value);
  else writer.writeDoubleField(VALUE.double, value);
}

function toCommand(command: number, repetitions: number): number {
  return command | (repetitions << 3);
}

/** Maps small positive and negative numbers to small unsigned numbers. */
function toZigzag(number: number): number {
  return (number << 1) ^ (number >> 31);
}
