// One member of the features of a tile: the values that it has there, by number, and what most points of a pixel have.

import type { PointValue } from '../search/points/point-columns';
import type { LayerWriter, Tags } from './layer-writer';

export class MemberTags {
  /** The value null has the number 0. */
  private readonly values: PointValue[] = [null];
  private readonly numbers = new Map<PointValue, number>([[null, 0]]);
  /** By number, once a feature has the value. */
  private readonly tags: Tags[] = [];
  /** By number, how many points have the value; 0 but while they are counted. */
  private readonly counts: number[] = [0];
  private readonly counted: number[] = [];
  private most = 0;

  constructor(
    readonly name: string,
    private readonly layer: LayerWriter,
  ) {}

  numberOf(value: PointValue): number {
    const known = this.numbers.get(value);
    if (known !== undefined) return known;
    const number = this.values.push(value) - 1;
    this.numbers.set(value, number);
    this.counts.push(0);
    return number;
  }

  addTo(tags: Tags, number: number): void {
    for (const tag of (this.tags[number] ??= this.newTags(number))) tags.push(tag);
  }

  count(number: number, points: number): void {
    const count = this.counts[number] ?? 0;
    if (count === 0) this.counted.push(number);
    this.counts[number] = count + points;
    if (this.counted.length === 1 || count + points > (this.counts[this.most] ?? 0)) this.most = number;
  }

  /** The value that most of the counted points have, or reached first; counting begins anew. */
  takeMostFrequent(): number {
    for (const number of this.counted) this.counts[number] = 0;
    this.counted.length = 0;
    return this.most;
  }

  private newTags(number: number): Tags {
    const tags: Tags = [];
    this.layer.tag(tags, this.name, this.values[number] ?? null);
    return tags;
  }
}
