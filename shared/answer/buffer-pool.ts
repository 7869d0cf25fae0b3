// The memory of large answers, used again once they are sent (ADR 0047). Whoever allocates or retains a buffer releases
// it once; one that is never released, as on the platform, is collected like any other.

/** Smaller buffers come from Node's own pool. */
const SMALLEST_POOLED = 64 * 1024;

/** Free memory of so many larger sizes serves as well: twice what is wanted at most. */
const LARGER_SIZES = 4;

interface PooledBuffer {
  readonly memory: ArrayBuffer;
  references: number;
}

export class BufferPool {
  private readonly inUse = new WeakMap<Uint8Array, PooledBuffer>();
  /** Free memory by its size in bytes. */
  private readonly free = new Map<number, ArrayBuffer[]>();
  private bytesFree = 0;

  /** `mostFreeBytes` bounds the memory that waits to be used again. */
  constructor(private mostFreeBytes: number) {}

  get freeBytes(): number {
    return this.bytesFree;
  }

  /** A buffer with one reference, whose bytes are whatever they were. */
  allocate(bytes: number): Buffer<ArrayBuffer> {
    if (bytes < SMALLEST_POOLED) return Buffer.allocUnsafe(bytes);
    const memory = this.takeFree(this.freeSizeFor(bytes)) ?? Buffer.allocUnsafeSlow(pooledSize(bytes)).buffer;
    const buffer = Buffer.from(memory, 0, bytes);
    this.inUse.set(buffer, { memory, references: 1 });
    return buffer;
  }

  /** Adds a reference. Does nothing for a buffer that is not of the pool. */
  retain(buffer: Uint8Array): void {
    const pooled = this.inUse.get(buffer);
    if (pooled !== undefined) pooled.references++;
  }

  /** Takes a reference away; the memory is free after the last. Does nothing for a buffer that is not of the pool. */
  release(buffer: Uint8Array): void {
    const pooled = this.inUse.get(buffer);
    if (pooled === undefined || --pooled.references > 0) return;
    this.inUse.delete(buffer);
    const { memory } = pooled;
    if (this.bytesFree + memory.byteLength > this.mostFreeBytes) return;
    this.bytesFree += memory.byteLength;
    const sameSize = this.free.get(memory.byteLength);
    if (sameSize === undefined) this.free.set(memory.byteLength, [memory]);
    else sameSize.push(memory);
  }

  /**
   * A part of a buffer takes its place, with its references: nobody may use or release the buffer any more. Undefined,
   * and as before, where more than half of the memory would lie idle, and for a buffer that is not of the pool.
   */
  narrow(buffer: Uint8Array, start: number, end: number): Buffer<ArrayBuffer> | undefined {
    const pooled = this.inUse.get(buffer);
    if (pooled === undefined || 2 * (end - start) < pooled.memory.byteLength) return undefined;
    this.inUse.delete(buffer);
    const part = Buffer.from(pooled.memory, buffer.byteOffset + start, end - start);
    this.inUse.set(part, pooled);
    return part;
  }

  /** The memory that a buffer of the pool takes, in bytes; undefined for any other buffer. */
  memoryOf(buffer: Uint8Array): number | undefined {
    return this.inUse.get(buffer)?.memory.byteLength;
  }

  /** Whether a buffer of so many bytes can be had without new memory. */
  hasFree(bytes: number): boolean {
    return this.freeSizeFor(bytes) !== undefined;
  }

  /** Gives one piece of free memory up; false when there is none. */
  dropFree(): boolean {
    for (const size of this.free.keys()) if (this.takeFree(size) !== undefined) return true;
    return false;
  }

  /** Changes the bound and gives up free memory beyond it. */
  limitFree(mostFreeBytes: number): void {
    this.mostFreeBytes = mostFreeBytes;
    while (this.bytesFree > mostFreeBytes && this.dropFree());
  }

  /** The smallest size of free memory for so many bytes that is not too large for them. */
  private freeSizeFor(bytes: number): number | undefined {
    let size = pooledSize(bytes);
    for (let larger = 0; larger <= LARGER_SIZES; larger++) {
      if ((this.free.get(size)?.length ?? 0) > 0) return size;
      size = pooledSize(size + 1);
    }
    return undefined;
  }

  private takeFree(size: number | undefined): ArrayBuffer | undefined {
    const memory = size === undefined ? undefined : this.free.get(size)?.pop();
    if (memory !== undefined) this.bytesFree -= memory.byteLength;
    return memory;
  }
}

/** Memory of one answer's making: it goes back to the pool at once, but for what the answer is sent from. */
export class ScratchMemory {
  private readonly buffers: Buffer[] = [];

  constructor(readonly pool: BufferPool) {}

  readonly allocate = (bytes: number): Buffer<ArrayBuffer> => {
    const buffer = this.pool.allocate(bytes);
    this.buffers.push(buffer);
    return buffer;
  };

  /** A part of a buffer from here, for whoever sends it to release; undefined where `narrow` is. */
  keep(buffer: Buffer, start: number, end: number): Buffer<ArrayBuffer> | undefined {
    const index = this.buffers.indexOf(buffer);
    const part = index === -1 ? undefined : this.pool.narrow(buffer, start, end);
    if (part !== undefined) this.buffers.splice(index, 1);
    return part;
  }

  /** Nobody may read what was allocated any more, but for what was kept. */
  release(): void {
    for (const buffer of this.buffers.splice(0)) this.pool.release(buffer);
  }
}

/** The memory for so many bytes, in steps of a quarter of a power of two: few sizes, so that the next buffer fits. */
export function pooledSize(bytes: number): number {
  if (bytes < SMALLEST_POOLED) return 0;
  const step = 2 ** Math.floor(Math.log2(bytes)) / 4;
  return Math.ceil(bytes / step) * step;
}
