// The features of a tile: points, those of one pixel together, and areas (ADR 0088, ADR 0089).

import type { TileShape } from './unit-shapes';
import { numberAt } from '../values/numbers';
import { ClassTags } from './class-tags';
import type { Label, PointSource } from './found-points';

import { LayerWriter, type Tags } from './layer-writer';
import type { PointGroups } from './shown-points';
import { TILE_EXTENT } from './tile-grid';

export interface WrittenTile {
  readonly body: Uint8Array;
  /** How many points or units the tile counts. */
  readonly counted: number;
}

/** An area, and the point of the release at which it is counted. */
export interface CountedShape {
  readonly shape: TileShape;
  readonly point: number;
  /** Among those of all releases. */
  readonly classNumber: number;
  /** Whether the point lies in the tile itself. */
  readonly isCounted: boolean;
}

export class TileFeatures {
  private readonly layer = new LayerWriter();
  private readonly classTags: ClassTags;
  private counted = 0;

  constructor(sources: readonly PointSource[]) {
    this.classTags = new ClassTags(sources, this.layer);
  }

  /** The points of a group as one feature. Those in the buffer are drawn and not counted (D53). */
  addPoints({ x, y, ends, classes }: PointGroups, group: number, label: Label | undefined): void {
    const [from, to] = [group === 0 ? 0 : numberAt(ends, group - 1), numberAt(ends, group)];
    const [left, top] = [numberAt(x, group), numberAt(y, group)];
    const isInside = isInTile(left, top);
    const tags = this.tagsOf(label, isInside ? to - from : 0);
    this.layer.tag(tags, 'outside', isInside ? null : to - from);
    this.classTags.add(tags, classes, from, to);
    this.layer.addPoint(left, top, tags);
  }

  addShape({ shape, classNumber, isCounted }: CountedShape, label: Label | undefined): void {
    const tags = this.tagsOf(label, isCounted ? 1 : 0);
    this.classTags.add(tags, Uint32Array.of(classNumber), 0, 1);
    this.layer.addShape(shape.type, shape.parts, tags);
  }

  /** `name` is that of the layer. */
  finish(name: string): WrittenTile {
    return { body: this.layer.finish(name), counted: this.counted };
  }

  private tagsOf(label: Label | undefined, count: number): Tags {
    this.counted += count;
    const tags: Tags = [];
    this.layer.tag(tags, 'id', label?.id ?? null);
    this.layer.tag(tags, 'name', label?.name ?? null);
    this.layer.tag(tags, 'count', count);
    this.layer.tag(tags, 'flow', label?.amounts?.flow ?? null);
    this.layer.tag(tags, 'volume', label?.amounts?.volume ?? null);
    return tags;
  }
}

/** Whether a tile counts what lies there, and shows it not just in its buffer. */
export function isInTile(x: number, y: number): boolean {
  return x >= 0 && y >= 0 && x < TILE_EXTENT && y < TILE_EXTENT;
}
