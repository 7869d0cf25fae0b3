// A tile of points: each pixel that has several is one feature with their count and what most of them have (ADR 0088).

import { numberAt } from '../values/numbers';
import { labelsOf, type Label, type SinglePoint } from './labels';
import { LayerWriter, type Tags } from './layer-writer';
import { sharedMembers, type PointSource } from './shared-members';
import type { ShownPoints } from './shown-points';
import { TILE_EXTENT } from './tile-grid';
import { MemberTags } from './member-tags';

export interface WrittenTile {
  readonly body: Uint8Array;
  /** How many points, or shapes, lie in the tile itself. */
  readonly counted: number;
}

/** From here on points stand by themselves, where they are few enough to be told apart. */
const DETAIL_ZOOM = 14;

/** A tile with so many points or fewer names those that stand alone. */
const MOST_LABELLED = 1000;

/** `name` is that of the layer. */
export async function writePointTile(
  name: string,
  zoom: number,
  sources: readonly PointSource[],
  shown: ShownPoints,
): Promise<WrittenTile> {
  const isLabelled = shown.count <= MOST_LABELLED;
  const starts = zoom >= DETAIL_ZOOM && isLabelled ? eachAlone(shown) : shown.starts;
  const labels = isLabelled ? await labelsOf(sources, singlePoints(shown, starts)) : undefined;
  const writer = new FeatureWriter(shown, sources);
  for (let index = 0; index + 1 < starts.length; index++) {
    const start = numberAt(starts, index);
    writer.write(start, numberAt(starts, index + 1), labels?.get(start));
  }
  return { body: writer.layer.finish(name), counted: writer.counted };
}

function eachAlone({ count }: ShownPoints): readonly number[] {
  return Array.from({ length: count + 1 }, (_, at) => at);
}

function singlePoints(shown: ShownPoints, starts: readonly number[]): readonly SinglePoint[] {
  return starts.flatMap((start, index) =>
    starts[index + 1] === start + 1
      ? [{ at: start, release: numberAt(shown.release, start), point: numberAt(shown.point, start) }]
      : [],
  );
}

class FeatureWriter {
  readonly layer = new LayerWriter();
  counted = 0;
  private readonly members: readonly MemberTags[];

  constructor(
    private readonly shown: ShownPoints,
    sources: readonly PointSource[],
  ) {
    this.members = sharedMembers(sources).map((member) => new MemberTags(member, shown, this.layer));
  }

  /** Points `from` to before `to` as one feature. Those in the buffer are drawn and not counted (D53). */
  write(from: number, to: number, label: Label | undefined): void {
    const count = to - from;
    const [x, y] = [middle(this.shown.x, from, to), middle(this.shown.y, from, to)];
    const isInside = x >= 0 && y >= 0 && x < TILE_EXTENT && y < TILE_EXTENT;
    if (isInside) this.counted += count;
    const tags: Tags = [];
    this.layer.tag(tags, 'id', label?.id ?? null);
    this.layer.tag(tags, 'name', label?.name ?? null);
    this.layer.tag(tags, 'count', isInside ? count : 0);
    this.layer.tag(tags, 'outside', isInside ? null : count);
    for (const member of this.members) member.tagPoints(tags, from, to);
    this.layer.addPoint(x, y, tags);
  }
}

/** The points of a pixel have their middle in it. */
function middle(coordinates: Int32Array, from: number, to: number): number {
  let sum = 0;
  for (let at = from; at < to; at++) sum += numberAt(coordinates, at);
  return Math.floor(sum / (to - from));
}
