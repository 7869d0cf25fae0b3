// Typed arrays of an artifact, one after the other, each aligned to eight bytes so that it can be read without a copy.

const ALIGNMENT = 8;

/** The bytes have their memory to themselves, so that a thread can hand them to another. */
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

/** A section that is made, or read, when its turn comes. */
export interface LazySection {
  readonly byteLength: number;
  readonly pieces: () => Iterable<Uint8Array>;
}

export function toSection({ buffer, byteOffset, byteLength }: ArrayBufferView): LazySection {
  return { byteLength, pieces: () => [new Uint8Array(buffer, byteOffset, byteLength)] };
}

/** As writeSections, without all sections in memory at once. */
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

/** The numbers in the least bytes that the greatest of them needs. */
export function toNarrowNumbers(numbers: Uint32Array): NarrowNumbers {
  const maximum = numbers.reduce((max, number) => Math.max(max, number), 0);
  if (maximum <= 0xff) return Uint8Array.from(numbers);
  return maximum <= 0xffff ? Uint16Array.from(numbers) : numbers;
}

interface NumbersConstructor<Numbers> {
  readonly BYTES_PER_ELEMENT: number;
  new (memory: ArrayBuffer, start: number, length: number): Numbers;
}

/** Reads what writeSections wrote; each section begins at a multiple of eight bytes. */
export class Sections {
  readonly memory: ArrayBuffer;
  private readonly offset: number;
  private readonly header: Uint32Array;

  constructor(content: Uint8Array) {
    // A store's buffer may be a view into a pool, aligned to nothing.
    const isAligned = content.byteOffset % ALIGNMENT === 0 && content.buffer instanceof ArrayBuffer;
    const bytes = isAligned ? content : Uint8Array.from(content);
    this.offset = bytes.byteOffset;
    this.memory = bytes.buffer as ArrayBuffer; // Either checked above or made by `from`.
    const count = new Uint32Array(this.memory, this.offset, 1)[0] ?? 0;
    this.header = new Uint32Array(this.memory, this.offset, 1 + count);
  }

  /** A section as it was written: `Numbers` is the constructor of its typed array. */
  numbers<Numbers>(Numbers: NumbersConstructor<Numbers>, index: number): Numbers {
    return new Numbers(this.memory, this.start(index), this.size(index) / Numbers.BYTES_PER_ELEMENT);
  }

  /** What `narrowed` made of so many numbers. */
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

  /** Byte of the memory where a section begins. */
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
