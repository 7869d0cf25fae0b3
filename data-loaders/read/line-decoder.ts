// Converts a file whose lines have different encodings to UTF-8 (D73). A line that is valid UTF-8 stays unchanged; any
// other line is read as Windows-1252. So a stray byte affects only its own line.

import { ownBytes } from '../../shared/values/bytes/own-bytes';
import { decodeWindows1252 } from '../format/text-encoding';

const LINE_FEED = 0x0a;

/** A line read as Windows-1252. */
interface ConvertedLine {
  readonly line: number;
  /** The offset of the line's end, in UTF-8 bytes since the start of this decoder. */
  readonly end: number;
  /** The line's length in UTF-8 minus its length in the file. */
  readonly growth: number;
}

export interface ConsumedBytes {
  /** The number of bytes in the file. */
  readonly bytes: number;
  /** The numbers of the lines that were read as Windows-1252. */
  readonly windows1252Lines: readonly number[];
}

export class LineDecoder {
  /** The bytes after the last line end, as in the file. */
  private rest: Buffer = Buffer.alloc(0);
  private decoded = 0;
  private consumed = 0;
  private converted: ConvertedLine[] = [];

  /** `line` is the number of the first line. */
  constructor(private line: number) {}

  /** The number of bytes of an incomplete line. */
  get pendingBytes(): number {
    return this.rest.length;
  }

  /** The complete lines so far, in UTF-8. */
  decode(piece: Buffer): Buffer {
    const bytes = this.rest.length === 0 ? piece : Buffer.concat([this.rest, piece]);
    const end = bytes.lastIndexOf(LINE_FEED) + 1;
    this.rest = ownBytes(bytes.subarray(end));
    return this.decodeLines(bytes.subarray(0, end));
  }

  /** The last line, if it has no line end. */
  finish(): Buffer {
    const last = this.decodeLines(this.rest);
    this.rest = Buffer.alloc(0);
    return last;
  }

  /** The number of bytes in the file from which `length` decoded bytes were made. `length` must end at a line end. */
  consume(length: number): ConsumedBytes {
    this.consumed += length;
    const isConsumed = ({ end }: ConvertedLine): boolean => end <= this.consumed;
    const lines = this.converted.filter(isConsumed);
    this.converted = this.converted.filter((line) => !isConsumed(line));
    const growth = lines.reduce((sum, line) => sum + line.growth, 0);
    return { bytes: length - growth, windows1252Lines: lines.map(({ line }) => line) };
  }

  private decodeLines(text: Buffer): Buffer {
    const lines: Buffer[] = [];
    for (let start = 0; start < text.length;) {
      const lineFeed = text.indexOf(LINE_FEED, start);
      const end = lineFeed === -1 ? text.length : lineFeed + 1;
      lines.push(this.decodeLine(text.subarray(start, end)));
      start = end;
    }
    return Buffer.concat(lines);
  }

  private decodeLine(bytes: Buffer): Buffer {
    const converted = decodeWindows1252(bytes);
    const decoded = converted === undefined ? bytes : Buffer.from(converted);
    this.decoded += decoded.length;
    if (converted !== undefined) {
      this.converted.push({ line: this.line, end: this.decoded, growth: decoded.length - bytes.length });
    }
    this.line++;
    return decoded;
  }
}
