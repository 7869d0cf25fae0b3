// The tags of points by their class, over all releases of a tile: those of one class, or what most points of a pixel
// have. Only values that the tile has are given to the layer. Its loops run for each point of a tile, and so go over
// arrays of numbers alone, which they read directly: what is read is always there.

import type { PointSource } from './found-points';
import type { LayerWriter, Tags } from './layer-writer';
import { MemberTags } from './member-tags';
import { MemberOfSource } from './member-of-source';

/** The member that says whose a point is. */
const ORGANIZATION = 'organization';

/** A pixel of so few classes has its values compared with one another, which then takes less time than counting. */
const FEW_CLASSES = 16;

interface ReleaseClasses {
  readonly firstClass: number;
  readonly members: readonly MemberOfSource[];
}

export class ClassTags {
  private readonly members: readonly MemberTags[];
  private readonly releases: readonly ReleaseClasses[];
  /** How many points of the group under way have each class. */
  private readonly counts: Uint32Array;
  /** The classes of the group under way, and how many they are. */
  private readonly distinct: Uint32Array;
  private size = 0;
  /** Values of a group of few classes, and how many points have each. */
  private readonly values = new Uint32Array(FEW_CLASSES);
  private readonly points = new Uint32Array(FEW_CLASSES);

  constructor(sources: readonly PointSource[], layer: LayerWriter) {
    const names = sources.flatMap(({ points }) => points.members.map(({ name }) => name));
    this.members = [...new Set([ORGANIZATION, ...names])].map((name) => new MemberTags(name, layer));
    this.releases = sources.map(({ points, reader, firstClass }) => {
      const { OrganizationUUID: organization } = reader.facts.organization;
      const members = this.members.map((tags) => {
        const own = points.members.find(({ name }) => name === tags.name);
        return new MemberOfSource(tags, own, tags.name === ORGANIZATION ? organization : null);
      });
      return { firstClass, members };
    });
    const classCount = sources.reduce((sum, { points }) => sum + points.classCount, 0);
    this.counts = new Uint32Array(classCount);
    this.distinct = new Uint32Array(classCount);
  }

  /** Adds what the points have whose classes stand in a list from one index to before another, or most of them. */
  add(tags: Tags, classes: Uint32Array, from: number, to: number): void {
    this.count(classes, from, to);
    const { members, size, distinct, counts } = this;
    for (let index = 0; index < members.length; index++) {
      if (size === 1) members[index]?.addTo(tags, this.numberOf(0, index));
      else members[index]?.addTo(tags, size <= FEW_CLASSES ? this.mostOfFew(index) : this.mostOfMany(index));
    }
    for (let at = 0; at < size; at++) counts[distinct[at] ?? 0] = 0;
    this.size = 0;
  }

  private count(classes: Uint32Array, from: number, to: number): void {
    const { counts, distinct } = this;
    for (let at = from; at < to; at++) {
      const number = classes[at] ?? 0;
      const count = counts[number] ?? 0;
      if (count === 0) distinct[this.size++] = number;
      counts[number] = count + 1;
    }
  }

  /** The number of the value that one of the distinct classes has of a member. */
  private numberOf(at: number, member: number): number {
    const number = this.distinct[at] ?? 0;
    let index = this.releases.length - 1;
    let release = this.releases[index];
    while (release !== undefined && release.firstClass > number) release = this.releases[--index];
    return release?.members[member]?.numberOf(number - release.firstClass) ?? 0;
  }

  /** The value that most points have, or that is the first to be counted so often. */
  private mostOfFew(member: number): number {
    const { distinct, counts, values, points } = this;
    let used = 0;
    let most = 0;
    for (let at = 0; at < this.size; at++) {
      const value = this.numberOf(at, member);
      let slot = 0;
      while (slot < used && values[slot] !== value) slot++;
      if (slot === used) points[used++] = 0;
      const count = (points[slot] ?? 0) + (counts[distinct[at] ?? 0] ?? 0);
      values[slot] = value;
      points[slot] = count;
      if (count > (points[most] ?? 0)) most = slot;
    }
    return values[most] ?? 0;
  }

  /** The same. */
  private mostOfMany(index: number): number {
    const { distinct, counts, size } = this;
    const member = this.members[index];
    for (let at = 0; at < size; at++) member?.count(this.numberOf(at, index), counts[distinct[at] ?? 0] ?? 0);
    return member?.takeMostFrequent() ?? 0;
  }
}
