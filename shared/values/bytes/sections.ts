// Stores typed arrays one after another in one artifact. Each is aligned to eight bytes, so that it can be read in
// place.

const ALIGNMENT = 8;

/** The result has its own ArrayBuffer, so that it can be transferred to another thread. */
export function writeSections(sections: readonly ArrayBufferView[]): Uint8Array {
  const buffers = [...sectionBuffers(sections.map(toSection))];
  const content = new Uint8Array(buffers.reduce((sum, { length }) => sum + length, 0));
  let offset = 0;
  for (const buffer of buffers) {
    content.set(buffer, offset);
    offset += buffer.length;
  }
  return content;
}

/** A section whose content is produced when it is written. */
export interface LazySection {
  readonly byteLength: number;
  readonly pieces: () => Iterable<Uint8Array>;
}

export function toSection({ buffer, byteOffset, byteLength }: ArrayBufferView): LazySection {
  return { byteLength, pieces: () => [new Uint8Array(buffer, byteOffset, byteLength)] };
}

/** Like writeSections, but without holding all sections in memory. */
export function* sectionBuffers(sections: readonly LazySection[]): Iterable<Uint8Array> {
  const padding = (bytes: number): Uint8Array => new Uint8Array(alignUp(bytes) - bytes);
  const header = Uint32Array.of(sections.length, ...sections.map(({ byteLength }) => byteLength));
  yield new Uint8Array(header.buffer);
  yield padding(header.byteLength);
  for (const section of sections) {
    yield* section.pieces();
    yield padding(section.byteLength);
  }
}

export type NarrowNumbers = Uint8Array | Uint16Array | Uint32Array;

/** Copies the numbers into the narrowest array that holds the largest of them. */
export function toNarrowNumbers(numbers: Uint32Array): NarrowNumbers {
  const maximum = numbers.reduce((max, number) => Math.max(max, number), 0);
  if (maximum <= 0xff) return Uint8Array.from(numbers);
  return maximum <= 0xffff ? Uint16Array.from(numbers) : numbers;
}

interface NumbersConstructor<Numbers> {
  readonly BYTES_PER_ELEMENT: number;
  new (memory: ArrayBuffer, start: number, length: number): Numbers;
}

/** Reads what writeSections wrote. */
export class Sections {
  readonly memory: ArrayBuffer;
  private readonly offset: number;
  private readonly header: Uint32Array;

  constructor(content: Uint8Array) {
    // A store's buffer may be an unaligned view into a pool.
    const isAligned = content.byteOffset % ALIGNMENT === 0 && content.buffer instanceof ArrayBuffer;
    const bytes = isAligned ? content : Uint8Array.from(content);
    this.offset = bytes.byteOffset;
    this.memory = bytes.buffer as ArrayBuffer; // The check above or `from` guarantees it.
    const count = new Uint32Array(this.memory, this.offset, 1)[0] ?? 0;
    this.header = new Uint32Array(this.memory, this.offset, 1 + count);
  }

  /** Reads a section with the constructor of its typed array. */
  numbers<Numbers>(Numbers: NumbersConstructor<Numbers>, index: number): Numbers {
    return new Numbers(this.memory, this.start(index), this.size(index) / Numbers.BYTES_PER_ELEMENT);
  }

  /** Reads a section that `toNarrowNumbers` created from `count` numbers. */
  narrow(index: number, count: number): NarrowNumbers {
    switch (this.size(index) / count) {
      case Uint8Array.BYTES_PER_ELEMENT:
        return this.numbers(Uint8Array, index);
      case Uint16Array.BYTES_PER_ELEMENT:
        return this.numbers(Uint16Array, index);
      default:
        return this.numbers(Uint32Array, index);
    }
  }

  /** Returns the offset in `memory` at which a section starts. */
  start(index: number): number {
    let start = this.offset + alignUp(this.header.byteLength);
    for (let section = 0; section < index; section++) start += alignUp(this.size(section));
    return start;
  }

  private size(index: number): number {
    return this.header[1 + index] ?? 0;
  }
}

function alignUp(bytes: number): number {
  return Math.ceil(bytes / ALIGNMENT) * ALIGNMENT;
}
