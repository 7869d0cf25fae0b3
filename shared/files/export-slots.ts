// Bounds how many exports run at once.

/** How many exports are made at once (D46): each takes a thread and its memory. */
export class ExportSlots {
  private used = 0;

  constructor(private readonly max: number) {}

  /** False when all are taken. */
  acquire(): boolean {
    if (this.used >= this.max) return false;
    this.used++;
    return true;
  }

  release(): void {
    this.used--;
  }
}
