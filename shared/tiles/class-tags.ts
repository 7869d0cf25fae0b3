// Creates the tags of a feature for the members of its points: the values of its class, or the most frequent values
// among its points. Only values that a tile uses are added to its layer.
//
// The values of all members share one range of numbers, the slots, in which each member has its own subrange. Slot 0 is
// unused.

import { getOrAssignNumber } from '../values/maps';
import type { LayerWriter, Tags } from './layer-writer';
import type { PointValue, ReleasePoints } from './point-classes';
import type { PointSource } from './point-source';
import { Tally } from './tally';

/** The member that contains the organization of a point. */
const ORGANIZATION = 'organization';

/** The tag with the counts of values, and the maximum number of values for a ring chart. */
const MIX = { name: 'mix', maxValues: 24 } as const;

/** The classes of a release, with the slots of their members' values. */
interface ReleaseClasses {
  readonly firstClass: number;
  readonly points: ReleasePoints;
  /** Keyed by member of the tile. */
  readonly columns: readonly MemberColumn[];
}

/** A member of the tile in a release. */
interface MemberColumn {
  /** Its index among the members of the release; -1 if the release does not have it. */
  readonly index: number;
  /** Keyed by code of the release: the slot of the value. */
  readonly slots: Uint32Array;
}

export class ClassTags {
  private readonly members: readonly MemberTags[];
  private readonly releases: readonly ReleaseClasses[];
  /** The points of the current feature by class, and by slot. */
  private readonly classTally: Tally;
  private readonly valueTally: Tally;
  /**
   * Keyed by member: the slot of the most frequent value among the points of the current feature. If several are
   * equally frequent, the first value to reach the count.
   */
  private readonly topSlots: Uint32Array;
  /** The member whose values are counted for the ring charts of the map. */
  private readonly mixMember: MemberTags | undefined;

  constructor(
    sources: readonly PointSource[],
    private readonly layer: LayerWriter,
    mix: string | undefined,
  ) {
    const names = sources.flatMap(({ points }) => points.members.map(({ name }) => name));
    this.members = [...new Set([ORGANIZATION, ...names])].map((name) => new MemberTags(name, layer));
    this.mixMember = this.members.find(({ name }) => name === mix);
    // All values must be numbered before the slots are divided among the members.
    for (const source of sources) {
      for (const member of this.members) for (const value of listValues(source, member.name)) member.getNumber(value);
    }
    let nextSlot = 1;
    for (const member of this.members) {
      member.firstSlot = nextSlot;
      nextSlot += member.size;
    }
    this.releases = sources.map((source) => ({
      firstClass: source.firstClass,
      points: source.points,
      columns: this.members.map((member) => createColumn(source, member)),
    }));
    this.topSlots = new Uint32Array(this.members.length);
    this.valueTally = new Tally(nextSlot);
    this.classTally = new Tally(sources.reduce((sum, { points }) => sum + points.classCount, 0));
  }

  /** Adds the tags of a feature whose points have the classes in `classes`, from index `from` to before index `to`. */
  add(tags: Tags, classes: Uint32Array, from: number, to: number): void {
    const { members, topSlots, classTally } = this;
    for (let index = from; index < to; index++) classTally.add(classes[index] ?? 0, 1);
    topSlots.fill(0);
    for (let index = 0; index < classTally.size; index++) {
      const classNumber = classTally.getNumber(index);
      this.countValues(classNumber, classTally.getCount(classNumber));
    }
    for (let member = 0; member < members.length; member++) members[member]?.addTo(tags, topSlots[member] ?? 0);
    if (to - from > 1 && this.mixMember !== undefined) this.layer.tag(tags, MIX.name, this.formatMix(this.mixMember));
    classTally.clear();
    this.valueTally.clear();
  }

  /** Counts the values of a class for `count` points. */
  private countValues(classNumber: number, count: number): void {
    const { valueTally, topSlots } = this;
    const { firstClass, points, columns } = this.findRelease(classNumber);
    const { codes } = points;
    const row = (classNumber - firstClass) * points.members.length;
    for (let member = 0; member < columns.length; member++) {
      const column = columns[member];
      if (column === undefined) continue;
      const code = column.index === -1 ? 0 : (codes[row + column.index] ?? 0);
      const slot = column.slots[code] ?? 0;
      if (valueTally.add(slot, count) > valueTally.getCount(topSlots[member] ?? 0)) topSlots[member] = slot;
    }
  }

  private findRelease(classNumber: number): ReleaseClasses {
    let [match] = this.releases;
    for (const release of this.releases) if (release.firstClass <= classNumber) match = release;
    if (match === undefined) throw new Error(`no release has class ${classNumber}`);
    return match;
  }

  /**
   * Returns the most frequent values of the current feature with their counts, as JSON. Points without a value count as
   * null.
   */
  private formatMix(member: MemberTags): string {
    const { valueTally } = this;
    const counts: (readonly [value: PointValue, count: number])[] = [];
    for (let index = 0; index < valueTally.size; index++) {
      const slot = valueTally.getNumber(index);
      if (member.hasSlot(slot)) counts.push([member.getValue(slot), valueTally.getCount(slot)]);
    }
    return JSON.stringify(counts.sort(([, a], [, b]) => b - a).slice(0, MIX.maxValues));
  }
}

/**
 * Keyed by code: the values of a member in a release. If the release lacks the member, its value is null for all
 * points.
 */
function listValues({ points, reader }: PointSource, member: string): readonly PointValue[] {
  const values = points.members.find(({ name }) => name === member)?.values;
  if (values !== undefined) return values;
  return [member === ORGANIZATION ? reader.facts.organization.OrganizationUUID : null];
}

function createColumn(source: PointSource, member: MemberTags): MemberColumn {
  const values = listValues(source, member.name);
  return {
    index: source.points.members.findIndex(({ name }) => name === member.name),
    slots: Uint32Array.from(values, (value) => member.firstSlot + member.getNumber(value)),
  };
}

/** The distinct values of a member in a tile. */
class MemberTags {
  /** The value null has the number 0 and the slot `firstSlot`. */
  firstSlot = 0;
  private readonly values: PointValue[] = [null];
  private readonly numbers = new Map<PointValue, number>([[null, 0]]);
  /** Keyed by number: the tags of the value, created for the first feature that has the value. */
  private readonly tags: Tags[] = [];

  constructor(
    readonly name: string,
    private readonly layer: LayerWriter,
  ) {}

  /** Adds the value if it is new. */
  getNumber(value: PointValue): number {
    const number = getOrAssignNumber(this.numbers, value);
    this.values[number] = value;
    return number;
  }

  /** The number of values. */
  get size(): number {
    return this.values.length;
  }

  hasSlot(slot: number): boolean {
    return slot >= this.firstSlot && slot < this.firstSlot + this.size;
  }

  getValue(slot: number): PointValue {
    return this.values[slot - this.firstSlot] ?? null;
  }

  addTo(tags: Tags, slot: number): void {
    for (const tag of this.getTags(slot)) tags.push(tag);
  }

  /** The value is added to the layer when the first feature uses it. */
  private getTags(slot: number): Tags {
    const number = slot - this.firstSlot;
    const knownTags = this.tags[number];
    if (knownTags !== undefined) return knownTags;
    const newTags: Tags = [];
    this.layer.tag(newTags, this.name, this.getValue(slot));
    this.tags[number] = newTags;
    return newTags;
  }
}
