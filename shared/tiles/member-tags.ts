// One member of the features of a tile: the values that it has there, by number.

import type { PointValue } from '../search/points/point-columns';
import type { LayerWriter, Tags } from './layer-writer';

export class MemberTags {
  /** The value null has the number 0. */
  private readonly values: PointValue[] = [null];
  private readonly numbers = new Map<PointValue, number>([[null, 0]]);
  /** By number, once a feature has the value. */
  private readonly tags: Tags[] = [];

  constructor(
    readonly name: string,
    private readonly layer: LayerWriter,
  ) {}

  numberOf(value: PointValue): number {
    const known = this.numbers.get(value);
    if (known !== undefined) return known;
    const number = this.values.push(value) - 1;
    this.numbers.set(value, number);
    return number;
  }

  addTo(tags: Tags, number: number): void {
    for (const tag of (this.tags[number] ??= this.newTags(number))) tags.push(tag);
  }

  private newTags(number: number): Tags {
    const tags: Tags = [];
    this.layer.tag(tags, this.name, this.values[number] ?? null);
    return tags;
  }
}
