// The tags of one member: a point's own value, or the one that most points of a pixel have.

import { numberAt } from '../values/numbers';
import type { LayerWriter, Tags } from './layer-writer';
import { valueNumber, type SharedMember } from './shared-members';
import type { ShownPoints } from './shown-points';

export class MemberTags {
  private readonly counts: Uint32Array;
  /** By the number of a value, once it has been written. */
  private readonly known: Tags[] = [];

  constructor(
    private readonly member: SharedMember,
    private readonly shown: ShownPoints,
    private readonly layer: LayerWriter,
  ) {
    this.counts = new Uint32Array(member.values.length);
  }

  /** Tags the feature of points `from` to before `to`. */
  tagPoints(tags: Tags, from: number, to: number): void {
    const number = to === from + 1 ? this.numberOf(from) : this.mostFrequent(from, to);
    for (const tag of (this.known[number] ??= this.newTags(number))) tags.push(tag);
  }

  private newTags(number: number): Tags {
    const tags: Tags = [];
    this.layer.tag(tags, this.member.name, this.member.values[number] ?? null);
    return tags;
  }

  /** The number of the value that most of the points have; of several, that which is reached first. */
  private mostFrequent(from: number, to: number): number {
    const { counts } = this;
    let most = this.numberOf(from);
    for (let at = from; at < to; at++) {
      const number = this.numberOf(at);
      const count = numberAt(counts, number) + 1;
      counts[number] = count;
      if (count > numberAt(counts, most)) most = number;
    }
    for (let at = from; at < to; at++) counts[this.numberOf(at)] = 0;
    return most;
  }

  private numberOf(at: number): number {
    return valueNumber(this.member, numberAt(this.shown.release, at), numberAt(this.shown.point, at));
  }
}
