// The tags of points by their class, over all releases of a tile: those of one class, or what most points of a pixel
// have. Only classes of which the tile has points are looked at. Its loops run for each point of a tile, and so go over
// arrays of numbers alone.

import { numberAt } from '../values/numbers';
import type { PointSource } from './found-points';
import type { LayerWriter, Tags } from './layer-writer';
import { MemberTags } from './member-tags';

/** The member that says whose a point is. */
const ORGANIZATION = 'organization';

export class ClassTags {
  private readonly members: readonly MemberTags[];
  /** The number of the value of each member, class by class; 1 in `isKnown` once they are there. */
  private readonly numbers: Uint32Array;
  private readonly isKnown: Uint8Array;
  /** How many points of the group under way have each class. */
  private readonly counts: Uint32Array;
  /** The classes of the group under way. */
  private readonly distinct: number[] = [];

  constructor(
    private readonly sources: readonly PointSource[],
    layer: LayerWriter,
  ) {
    const names = sources.flatMap(({ points }) => points.members.map(({ name }) => name));
    const classCount = sources.reduce((sum, { points }) => sum + points.classCount, 0);
    this.members = [...new Set([ORGANIZATION, ...names])].map((name) => new MemberTags(name, layer));
    this.numbers = new Uint32Array(classCount * this.members.length);
    this.isKnown = new Uint8Array(classCount);
    this.counts = new Uint32Array(classCount);
  }

  /** Adds what the points have whose classes stand in a list from one index to before another, or most of them. */
  add(tags: Tags, classes: Uint32Array, from: number, to: number): void {
    this.count(classes, from, to);
    for (let member = 0; member < this.members.length; member++) this.addMember(tags, member);
    for (const number of this.distinct) this.counts[number] = 0;
    this.distinct.length = 0;
  }

  private count(classes: Uint32Array, from: number, to: number): void {
    for (let at = from; at < to; at++) {
      const number = classes[at] ?? 0;
      const count = this.counts[number] ?? 0;
      if (count === 0) this.distinct.push(number);
      this.counts[number] = count + 1;
      if (this.isKnown[number] === 0) this.readClass(number);
    }
  }

  private addMember(tags: Tags, index: number): void {
    const { distinct, numbers, counts, members } = this;
    const member = members[index];
    const numberOf = (at: number): number => numbers[(distinct[at] ?? 0) * members.length + index] ?? 0;
    if (distinct.length > 1) {
      for (let at = 0; at < distinct.length; at++) member?.count(numberOf(at), counts[distinct[at] ?? 0] ?? 0);
    }
    member?.addTo(tags, distinct.length > 1 ? member.takeMostFrequent() : numberOf(0));
  }

  private readClass(number: number): void {
    const source = this.sources.findLast(({ firstClass }) => firstClass <= number);
    if (source === undefined) throw new RangeError(`no release has the class ${number}`);
    const { points, reader, firstClass } = source;
    this.members.forEach((member, index) => {
      const own = points.members.find(({ name }) => name === member.name);
      const value =
        member.name === ORGANIZATION
          ? reader.facts.organization.OrganizationUUID
          : own?.values[numberAt(own.codes, number - firstClass)];
      this.numbers[number * this.members.length + index] = member.numberOf(value ?? null);
    });
    this.isKnown[number] = 1;
  }
}
