// Columns that are lists beside one another: each object of a record's list has an item in each of them. Many records
// name the same objects, so the items of an object are written once, and copied for each record that names it.

import { ByteWriter, type Allocate } from '../../values/bytes/byte-writer';
import { isNull, isText } from '../../values/bytes/json-values';
import { copiedText, type CopiedBytes } from '../../values/bytes/word-copying';
import type { TableColumn } from '../table-columns';

const COMMA = 0x2c;
const CLOSE_LIST = 0x5d;
const QUOTE = 0x22;

const NULL = copiedText('null');
const NO_HEAD = copiedText('');

const FIRST_BYTES = 131_072;

/** Its loops run for each item of each record, and so read lists directly: what is read is always there. */
export class ListColumns {
  /** By column what stands before its first item: its name, behind the end of the column before. */
  private readonly heads: readonly CopiedBytes[];
  /** The head and the item of each column, object by object: what a list of this object alone has. */
  private readonly parts: ByteWriter;
  /** Where the head of each column starts, and the last item ends, object by object. */
  private readonly bounds: number[] = [];
  /** By its length the list that was written last of those that have the same object throughout. */
  private readonly repeated = new Map<number, WrittenList>();

  /** `before` stands before the first column. */
  constructor(
    columns: readonly TableColumn[],
    before: string,
    private readonly target: ByteWriter,
    allocate: Allocate,
  ) {
    this.heads = columns.map(({ name }, index) => copiedText(`${index === 0 ? before : '],'}"${name}":[`));
    this.parts = new ByteWriter(FIRST_BYTES, allocate);
  }

  /** Adds an object and returns its number. Its values stand in `bytes`, by `positions` from the pair `first` on. */
  add({ bytes, words }: CopiedBytes, positions: Uint32Array, first: number): number {
    const { parts, bounds, heads } = this;
    const number = bounds.length;
    for (let column = 0; column < heads.length; column++) {
      const head = heads[column] ?? NO_HEAD;
      bounds.push(parts.length);
      parts.copyText(head);
      const start = positions[2 * (first + column)] ?? 0;
      // A text stands as it is, other values as texts, and null as the empty one.
      const isQuoted = isText(bytes, start);
      if (!isQuoted) parts.byte(QUOTE);
      if (!isNull(bytes, start)) parts.copyWords(words, start, positions[2 * (first + column) + 1] ?? 0);
      if (!isQuoted) parts.byte(QUOTE);
    }
    bounds.push(parts.length);
    return number;
  }

  /** Adds an object without values. */
  addNothing(): number {
    return this.add(NULL, new Uint32Array(2 * this.heads.length), 0);
  }

  /** Writes the columns of a list of the first `count` of some objects, with commas between them. */
  write(objects: readonly number[], count: number): void {
    const { target, parts, bounds, heads } = this;
    const [first = 0] = objects;
    if (heads.length === 0) return;
    if (count === 0) for (const head of heads) target.copyText(head);
    else if (count === 1) target.copyWords(parts.words, bounds[first] ?? 0, bounds[first + heads.length] ?? 0);
    else if (isRepeated(objects, count)) this.writeRepeated(objects, count);
    else this.writeLists(objects, count);
    target.byte(CLOSE_LIST);
  }

  /** Objects that have nothing are all the same one, and mostly stand beside each other. */
  private writeRepeated(objects: readonly number[], count: number): void {
    const { target, repeated } = this;
    const [object = 0] = objects;
    const last = repeated.get(count);
    if (last?.object === object) {
      target.repeat(last.start, last.end);
      return;
    }
    const start = target.length;
    this.writeLists(objects, count);
    repeated.set(count, { object, start, end: target.length });
  }

  /** Each item of each object is copied here, so that the loop calls nothing. */
  private writeLists(objects: readonly number[], count: number): void {
    const { target, bounds, heads } = this;
    const { words } = this.parts;
    const written = target.wordsWithRoom(this.bytesOf(objects, count));
    let end = target.length;
    for (let column = 0; column < heads.length; column++) {
      const headBytes = (heads[column] ?? NO_HEAD).bytes.length;
      for (let at = 0; at < count; at++) {
        const bound = (objects[at] ?? 0) + column;
        const stop = bounds[bound + 1] ?? 0;
        let from = bounds[bound] ?? 0;
        // The head stands before the first item alone, and a comma before others.
        if (at > 0) {
          from += headBytes;
          written.setUint8(end++, COMMA);
        }
        const next = end + stop - from;
        for (; from < stop; from += 8, end += 8) written.setBigUint64(end, words.getBigUint64(from));
        end = next;
      }
    }
    target.wrote(end);
  }

  /** What lists of objects take at most. */
  private bytesOf(objects: readonly number[], count: number): number {
    const { bounds, heads } = this;
    let bytes = 0;
    for (let at = 0; at < count; at++) {
      const first = objects[at] ?? 0;
      bytes += (bounds[first + heads.length] ?? 0) - (bounds[first] ?? 0);
    }
    return bytes;
  }
}

interface WrittenList {
  readonly object: number;
  readonly start: number;
  readonly end: number;
}

function isRepeated(objects: readonly number[], count: number): boolean {
  for (let at = 1; at < count; at++) if (objects[at] !== objects[0]) return false;
  return true;
}
