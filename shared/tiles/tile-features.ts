// The features of a tile: points, those of one square together, and areas (ADR 0088). Their tags follow from
// the classes of their points, over all releases of a tile: those of one class, or what most points of a square have.
// Only values that the tile has are given to the layer. The loops of ClassTags run for each point of a tile, so they go
// over typed arrays and read them directly: what is read is always there.

import { getOrAssignNumber } from '../values/maps';
import { getRangeStart, numberAt } from '../values/number-arrays';
import { GEOMETRY_TYPES, LayerWriter, type Tags } from './layer-writer';
import type { Label, PointSource, PointValue, ReleasePoints } from './release-points';
import type { PointGroups } from './shown-points';
import { TILE_EXTENT } from './tile-grid';

/** A part of a unit in a tile: points, lines, or rings with their first position at the end again, as x, y, x, y. */
export interface TileShape {
  readonly rank: number;
  readonly type: 1 | 2 | 3;
  readonly parts: readonly ArrayLike<number>[];
}

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
  private isEmpty = true;

  /** `mix` names the member of whose values features of several points have the counts; none has them without. */
  constructor(sources: readonly PointSource[], mix?: string) {
    this.classTags = new ClassTags(sources, this.layer, mix);
  }

  /** The points of a group as one feature. Those in the buffer are drawn and not counted (D53). */
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

  /** `name` is that of the layer. Undefined without features. */
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

/** The member that says whose a point is. */
const ORGANIZATION = 'organization';

/** The member that has the counts of values, and as many values as a ring can show. */
const MIX = { name: 'mix', mostValues: 8 } as const;

/** The classes of a release, and where their values are counted. */
interface ReleaseClasses {
  readonly firstClass: number;
  readonly points: ReleasePoints;
  /** By member of the tile. */
  readonly members: readonly ClassMember[];
}

interface ClassMember {
  /** Its index among the members of the tile. */
  readonly member: number;
  /** Its index among those of the release; -1 where it is none. */
  readonly column: number;
  /** By code of the release the number of the value in the tile. */
  readonly numbers: Uint32Array;
}

class ClassTags {
  private readonly members: readonly MemberTags[];
  private readonly releases: readonly ReleaseClasses[];
  /** How many points of the group under way have each class. */
  private readonly counts: Uint32Array;
  /** The classes of the group under way, and how many they are. */
  private readonly distinct: Uint32Array;
  private size = 0;
  /** How many points of the group have each value, by slot: those of a member begin behind its first. */
  private readonly points: Uint32Array;
  private readonly firstSlots: Uint32Array;
  /** The slots of the values that the group has, and how many they are. */
  private readonly touched: Uint32Array;
  private touchedSlots = 0;
  /** By member the slot of the value that most points have, or that was the first to be counted so often. */
  private readonly most: Uint32Array;
  /** The index of the member whose values are counted for people; -1 for none. */
  private readonly mixed: number;

  constructor(
    sources: readonly PointSource[],
    private readonly layer: LayerWriter,
    mix: string | undefined,
  ) {
    const names = sources.flatMap(({ points }) => points.members.map(({ name }) => name));
    this.members = [...new Set([ORGANIZATION, ...names])].map((name) => new MemberTags(name, layer));
    this.mixed = this.members.findIndex(({ name }) => name === mix);
    this.releases = sources.map(({ points, reader, firstClass }) => {
      const { OrganizationUUID: organization } = reader.facts.organization;
      const members = this.members.map((tags, member): ClassMember => {
        const column = points.members.findIndex(({ name }) => name === tags.name);
        const values = points.members[column]?.values ?? [tags.name === ORGANIZATION ? organization : null];
        return { member, column, numbers: Uint32Array.from(values, (value) => tags.getNumber(value)) };
      });
      return { firstClass, points, members };
    });
    this.most = new Uint32Array(this.members.length);
    this.firstSlots = new Uint32Array(this.members.length);
    let slots = 1;
    this.members.forEach(({ size }, member) => {
      this.firstSlots[member] = slots;
      slots += size;
    });
    [this.points, this.touched] = [new Uint32Array(slots), new Uint32Array(slots)];
    const classCount = sources.reduce((sum, { points }) => sum + points.classCount, 0);
    [this.counts, this.distinct] = [new Uint32Array(classCount), new Uint32Array(classCount)];
  }

  /** Adds what the points have whose classes stand in a list from one index to before another, or most of them. */
  add(tags: Tags, classes: Uint32Array, from: number, to: number): void {
    const { members, most, firstSlots, counts, distinct, points, touched } = this;
    this.countClasses(classes, from, to);
    most.fill(0);
    for (let at = 0; at < this.size; at++) {
      const number = distinct[at] ?? 0;
      this.countValues(number, counts[number] ?? 0);
      counts[number] = 0;
    }
    for (let member = 0; member < members.length; member++) {
      members[member]?.addTo(tags, (most[member] ?? 0) - (firstSlots[member] ?? 0));
    }
    if (to - from > 1 && this.mixed !== -1) this.layer.tag(tags, MIX.name, this.formatMix());
    for (let at = 0; at < this.touchedSlots; at++) points[touched[at] ?? 0] = 0;
    [this.size, this.touchedSlots] = [0, 0];
  }

  /** The most frequent values of the group under way with their counts, as JSON; points without one count as null. */
  private formatMix(): string {
    const { members, mixed, firstSlots, points, touched } = this;
    const first = numberAt(firstSlots, mixed);
    const end = firstSlots[mixed + 1] ?? points.length;
    const slots = [...touched.subarray(0, this.touchedSlots)].filter((slot) => slot >= first && slot < end);
    const counted = slots.map(
      (slot) => [members[mixed]?.getValue(slot - first) ?? null, numberAt(points, slot)] as const,
    );
    return JSON.stringify(counted.sort(([, a], [, b]) => b - a).slice(0, MIX.mostValues));
  }

  private countClasses(classes: Uint32Array, from: number, to: number): void {
    const { counts, distinct } = this;
    for (let at = from; at < to; at++) {
      const number = classes[at] ?? 0;
      const count = counts[number] ?? 0;
      if (count === 0) distinct[this.size++] = number;
      counts[number] = count + 1;
    }
  }

  /** Counts the values of a class for so many points. */
  private countValues(number: number, count: number): void {
    const { points, touched, most, firstSlots } = this;
    let [release] = this.releases;
    for (const one of this.releases) if (one.firstClass <= number) release = one;
    if (release === undefined) throw new Error(`no release has class ${number}`);
    const { codes, members: columns } = release.points;
    const row = (number - release.firstClass) * columns.length;
    for (const { column, numbers, member } of release.members) {
      const code = column === -1 ? 0 : (codes[row + column] ?? 0);
      const slot = (firstSlots[member] ?? 0) + (numbers[code] ?? 0);
      const before = points[slot] ?? 0;
      if (before === 0) touched[this.touchedSlots++] = slot;
      points[slot] = before + count;
      if (before + count > (points[most[member] ?? 0] ?? 0)) most[member] = slot;
    }
  }
}

class MemberTags {
  /** The value null has the number 0. */
  private readonly values: PointValue[] = [null];
  private readonly numbers = new Map<PointValue, number>([[null, 0]]);
  /** By number, once a feature has the value. */
  private readonly tags: Tags[] = [];

  constructor(
    readonly name: string,
    private readonly layer: LayerWriter,
  ) {}

  getNumber(value: PointValue): number {
    const number = getOrAssignNumber(this.numbers, value);
    this.values[number] = value;
    return number;
  }

  /** How many values there are. */
  get size(): number {
    return this.values.length;
  }

  getValue(number: number): PointValue {
    return this.values[number] ?? null;
  }

  addTo(tags: Tags, number: number): void {
    for (const tag of (this.tags[number] ??= this.createTags(number))) tags.push(tag);
  }

  private createTags(number: number): Tags {
    const tags: Tags = [];
    this.layer.tag(tags, this.name, this.getValue(number));
    return tags;
  }
}
