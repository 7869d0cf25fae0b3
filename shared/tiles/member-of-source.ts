// What the points of one release have of a member, as numbers of the values of the tile.

import type { PointMember, PointValue } from '../search/points/point-columns';
import type { MemberTags } from './member-tags';

export class MemberOfSource {
  /** By code one more than the number of the value; 0 until a point of the tile has it. */
  private readonly numbers: Uint32Array;

  /** Without a member of its own, all points of the release have the same value. */
  constructor(
    private readonly tags: MemberTags,
    private readonly own: PointMember | undefined,
    private readonly common: PointValue,
  ) {
    this.numbers = new Uint32Array(own?.values.length ?? 1);
  }

  /** The class is numbered within the release. */
  numberOf(ofRelease: number): number {
    const code = this.own?.codes[ofRelease] ?? 0;
    const known = this.numbers[code] ?? 0;
    if (known !== 0) return known - 1;
    const number = this.tags.numberOf(this.own === undefined ? this.common : (this.own.values[code] ?? null));
    this.numbers[code] = number + 1;
    return number;
  }
}
