// Bounds how many exports run at once.

/** Each export takes a thread and its memory (D46). */
export class ExportSlots {
  private used = 0;

  constructor(private readonly max: number) {}

  /** False when no slot is free. */
  acquire(): boolean {
    if (this.used >= this.max) return false;
    this.used++;
    return true;
  }

  release(): void {
    this.used--;
  }
}
