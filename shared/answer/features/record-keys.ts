// The digest of the key of a record, which names it through all publishes (D48): as the files of a release have it in
// their column `Key`, and as the ids of the features of amounts. Made from the JSON texts of the key's members.

import type { DataSetLayout } from '../../records/data-sets';
import { ByteWriter } from '../../values/bytes/byte-writer';
import { digestNameOf } from '../../values/digest';
import { isList, isSameText } from '../../values/bytes/json-values';
import { copiedText, type CopiedBytes } from '../../values/bytes/word-copying';

const COMMA = 0x2c;

/** Most keys have fewer bytes. */
const FIRST_BYTES = 1024;

export class RecordKeys {
  private readonly key = new ByteWriter(FIRST_BYTES);
  /** All keys of the organization begin with so many bytes, which stay where they are. */
  private readonly startBytes: number;
  private readonly members: number;
  /** By the text of a list that of the same list as a set. */
  private readonly sets = new Map<string, KnownSet>();
  private last: KnownSet | undefined;

  constructor({ kind, keyMembers }: DataSetLayout, organizationUuid: string) {
    this.key.text(`${JSON.stringify([organizationUuid, kind]).slice(0, -1)},[`);
    this.startBytes = this.key.length;
    this.members = keyMembers.length;
  }

  /**
   * `positions` are pairs of the start and the end of texts, among them those of the layout's key members in their
   * order, from the pair `first` on; the digest is that of `recordKey`.
   */
  digestOf({ bytes, words }: CopiedBytes, positions: Uint32Array, first = 0): string {
    const { key } = this;
    key.endAt(this.startBytes);
    for (let member = 0; member < this.members; member++) {
      // Read directly, as PropertiesWriter does.
      const [start = NaN, end = NaN] = [positions[2 * (first + member)], positions[2 * (first + member) + 1]];
      if (member > 0) key.byte(COMMA);
      if (isList(bytes, start)) key.copyText(this.setText(bytes, start, end));
      else key.copyWords(words, start, end);
    }
    key.ascii(']]');
    return digestNameOf(key.bytes());
  }

  /** The uses of an amount are a set, so their order does not count (submissions.md, 4). */
  private setText(bytes: Buffer, start: number, end: number): CopiedBytes {
    // Neighbours often have the same, which is seen faster than it is looked up.
    if (this.last !== undefined && isSameText(this.last, bytes, start, end)) return this.last.set;
    const text = bytes.toString('utf8', start, end);
    this.last = this.sets.get(text);
    if (this.last === undefined) {
      const items = JSON.parse(text) as readonly unknown[]; // It begins as a list does.
      const set = copiedText(JSON.stringify(items.map((item) => JSON.stringify(item)).sort()));
      const list = Buffer.from(text);
      this.last = { bytes: list, start: 0, end: list.length, set };
      this.sets.set(text, this.last);
    }
    return this.last.set;
  }
}

/** A list as it was read, and as a set. */
interface KnownSet {
  readonly bytes: Buffer;
  readonly start: number;
  readonly end: number;
  readonly set: CopiedBytes;
}
