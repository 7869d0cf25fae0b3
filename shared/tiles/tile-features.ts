// The features of a tile: groups of points, and areas (ADR 0088).

import { getRangeStart, numberAt } from '../values/number-arrays';
import { ClassTags } from './class-tags';
import type { PointGroups } from './group-points';
import { GEOMETRY_TYPES, LayerWriter, type Tags } from './layer-writer';
import type { Label, PointSource } from './point-source';
import { TILE_EXTENT } from './tile-grid';

/** A part of a unit in a tile: points, lines, or rings that repeat their first position at the end, as x, y, x, y. */
export interface TileShape {
  readonly rank: number;
  readonly type: 1 | 2 | 3;
  readonly parts: readonly ArrayLike<number>[];
}

export interface WrittenTile {
  readonly body: Uint8Array;
  /** The number of points or units counted in the tile. */
  readonly counted: number;
}

/** An area, and the point of the release that decides which tile counts it. */
export interface CountedShape {
  readonly shape: TileShape;
  readonly point: number;
  /** The class of the point, numbered over all releases of the tile. */
  readonly classNumber: number;
  /** Whether the point is in the tile itself. */
  readonly isCounted: boolean;
}

export class TileFeatures {
  private readonly layer = new LayerWriter();
  private readonly classTags: ClassTags;
  private counted = 0;
  private isEmpty = true;

  /** Features of several points contain the counts of the values of the member `mix`. */
  constructor(sources: readonly PointSource[], mix?: string) {
    this.classTags = new ClassTags(sources, this.layer, mix);
  }

  /** Adds the points of a group as one feature. Points in the buffer are drawn but not counted (D53). */
  addPoints({ x, y, ends, classes }: PointGroups, group: number, label: Label | undefined): void {
    const from = getRangeStart(ends, group);
    const to = numberAt(ends, group);
    const left = numberAt(x, group);
    const top = numberAt(y, group);
    const isInside = left >= 0 && top >= 0 && left < TILE_EXTENT && top < TILE_EXTENT;
    const tags = this.createTags(label, isInside ? to - from : 0);
    this.layer.tag(tags, 'outside', isInside ? null : to - from);
    this.classTags.add(tags, classes, from, to);
    this.layer.add(GEOMETRY_TYPES.points, [[left, top]], tags);
  }

  addShape({ shape, classNumber, isCounted }: CountedShape, label: Label | undefined): void {
    const tags = this.createTags(label, isCounted ? 1 : 0);
    this.classTags.add(tags, Uint32Array.of(classNumber), 0, 1);
    this.layer.add(shape.type, shape.parts, tags);
  }

  /** `name` is the name of the layer. Returns undefined if there are no features. */
  finish(name: string): WrittenTile | undefined {
    return this.isEmpty ? undefined : { body: this.layer.finish(name), counted: this.counted };
  }

  private createTags(label: Label | undefined, count: number): Tags {
    this.isEmpty = false;
    this.counted += count;
    const tags: Tags = [];
    this.layer.tag(tags, 'id', label?.id ?? null);
    this.layer.tag(tags, 'name', label?.name ?? null);
    this.layer.tag(tags, 'count', count);
    for (const [name, value] of Object.entries(label?.right ?? {})) this.layer.tag(tags, name, value);
    return tags;
  }
}
