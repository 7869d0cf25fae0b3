// How a tick in a thread of its own is told to stop: by a flag in memory that threads share, so that a thread that is
// busy loading sees it without waiting for a message.

export class StopSignal {
  private readonly flag: Int32Array<SharedArrayBuffer>;

  constructor(readonly memory = new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT)) {
    this.flag = new Int32Array(memory);
  }

  stop(): void {
    Atomics.store(this.flag, 0, 1);
  }

  get isStopped(): boolean {
    return Atomics.load(this.flag, 0) === 1;
  }
}
