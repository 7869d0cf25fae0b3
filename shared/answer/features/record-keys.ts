// The digest of the key of a record, which names it through all publishes (D48): as the files of a release have it in
// their column `Key`, and as the ids of the features of amounts. Made from the JSON texts of the key's members.

import type { DataSetLayout } from '../../records/data-sets';
import { digestNameOf } from '../../values/digest';

export class RecordKeys {
  private readonly start: string;
  /** By the text of a list that of the same list as a set. */
  private readonly sets = new Map<string, string>();

  constructor({ kind }: DataSetLayout, organizationUuid: string) {
    this.start = `${JSON.stringify([organizationUuid, kind]).slice(0, -1)},[`;
  }

  /** `members` are texts in the order of the layout's key members; the digest is that of `recordKey`. */
  digestOf(members: readonly string[]): string {
    let key = this.start;
    for (let at = 0; at < members.length; at++) {
      const text = members[at] ?? '';
      key += (at === 0 ? '' : ',') + (text.startsWith('[') ? this.setText(text) : text);
    }
    return digestNameOf(`${key}]]`);
  }

  /** The uses of an amount are a set, so their order does not count (submissions.md, 4). */
  private setText(text: string): string {
    const known = this.sets.get(text);
    if (known !== undefined) return known;
    const items = JSON.parse(text) as readonly unknown[]; // It begins as a list does.
    const set = JSON.stringify(items.map((item) => JSON.stringify(item)).sort());
    this.sets.set(text, set);
    return set;
  }
}
