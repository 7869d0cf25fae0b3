// Polygons in well-known text, made GeoJSON in one pass over their bytes where they stand as most submissions have
// them. All other texts are left to `readGeometry`, which reads every form and knows the rules of D15: what is written
// here is what that one and `withRightHandRule` make of the same text.

import { LATITUDE_LIMIT, LONGITUDE_LIMIT, MINIMUM_RING_POSITIONS, runsBackwards } from '../../values/geometry';
import type { ByteWriter } from '../../values/bytes/byte-writer';
import { numberAt } from '../../values/numbers';
import { NumberText } from './number-texts';

const SPACE = 0x20;
const QUOTE = 0x22;
const OPENING = 0x28;
const CLOSING = 0x29;
const COMMA = 0x2c;
const OPEN_LIST = 0x5b;
const CLOSE_LIST = 0x5d;

/** By the beginning of a text its type as JSON has it. */
const TYPES = [
  { name: Buffer.from('"POLYGON '), type: 'Polygon' },
  { name: Buffer.from('"MULTIPOLYGON '), type: 'MultiPolygon' },
] as const;

/** Stands for an ordinate that is not copied as it stands. */
const WRITTEN_ANEW = -1;

export class PolygonTexts {
  private readonly number = new NumberText();
  private bytes: Buffer = Buffer.alloc(0);
  private at = 0;
  /** The ordinates of the ring that was read last, x and y in turn, and where each starts and ends. */
  private readonly values: number[] = [];
  private readonly starts: number[] = [];
  private readonly ends: number[] = [];
  private ordinates = 0;

  constructor(private readonly target: ByteWriter) {}

  /** Writes the geometry of the JSON text that starts at `start`; nothing and false where it is of another form. */
  write(bytes: Buffer, start: number, end: number): boolean {
    const found = TYPES.find(({ name }) => bytes.compare(name, 0, name.length, start, start + name.length) === 0);
    if (found === undefined) return false;
    const { target } = this;
    const before = target.length;
    this.bytes = bytes;
    this.at = start + found.name.length;
    target.ascii(`{"type":"${found.type}","coordinates":`);
    const isRead = found.type === 'Polygon' ? this.writePolygon() : this.writeList(() => this.writePolygon());
    target.ascii('}');
    if (isRead && this.at === end - 1 && bytes[this.at] === QUOTE) return true;
    target.endAt(before);
    return false;
  }

  private writePolygon(): boolean {
    return this.writeList((index) => {
      if (!this.readRing()) return false;
      this.writeRing(runsBackwards(this.values, this.ordinates, index));
      return true;
    });
  }

  /** False where an item cannot be read, or where no list stands. */
  private writeList(writeItem: (index: number) => boolean): boolean {
    if (!this.take(OPENING)) return false;
    let index = 0;
    do {
      this.target.byte(index === 0 ? OPEN_LIST : COMMA);
      this.take(SPACE);
      if (!writeItem(index++)) return false;
    } while (this.take(COMMA));
    this.target.byte(CLOSE_LIST);
    return this.take(CLOSING);
  }

  private readRing(): boolean {
    const { values } = this;
    this.ordinates = 0;
    if (!this.take(OPENING)) return false;
    do {
      this.take(SPACE);
      if (!this.readOrdinate(LONGITUDE_LIMIT)) return false;
      if (!this.take(SPACE) || !this.readOrdinate(LATITUDE_LIMIT)) return false;
    } while (this.take(COMMA));
    const last = this.ordinates - 2;
    const isClosed = values[0] === values[last] && values[1] === values[last + 1];
    return isClosed && this.ordinates >= 2 * MINIMUM_RING_POSITIONS && this.take(CLOSING);
  }

  private readOrdinate(limit: number): boolean {
    const { number, at, ordinates } = this;
    if (!number.read(this.bytes, at) || Math.abs(number.value) > limit) return false;
    this.values[ordinates] = number.value;
    this.starts[ordinates] = number.isShortest ? at : WRITTEN_ANEW;
    this.ends[ordinates] = number.shortestEnd;
    this.ordinates++;
    this.at = number.end;
    return true;
  }

  private writeRing(isBackwards: boolean): void {
    const { target } = this;
    const last = this.ordinates / 2 - 1;
    for (let index = 0; index <= last; index++) {
      const position = isBackwards ? last - index : index;
      target.byte(index === 0 ? OPEN_LIST : COMMA);
      target.byte(OPEN_LIST);
      this.writeOrdinate(position, 0);
      target.byte(COMMA);
      this.writeOrdinate(position, 1);
      target.byte(CLOSE_LIST);
    }
    target.byte(CLOSE_LIST);
  }

  private writeOrdinate(position: number, axis: 0 | 1): void {
    const start = numberAt(this.starts, 2 * position + axis);
    if (start === WRITTEN_ANEW) this.target.ascii(JSON.stringify(this.values[2 * position + axis]));
    else this.target.copy(this.bytes, start, numberAt(this.ends, 2 * position + axis));
  }

  private take(code: number): boolean {
    if (this.bytes[this.at] !== code) return false;
    this.at++;
    return true;
  }
}
