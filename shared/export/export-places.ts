// How many exports are made at once (D46): each takes a thread and its memory. Over several processes, whoever
// supervises them has the places (ADR 0056).

export interface ExportPlaces {
  /** False when all are taken. */
  take(): Promise<boolean>;
  free(): void;
}

/** The places by who has taken them. */
export class LentExportPlaces<Taker> {
  private readonly takers: Taker[] = [];

  constructor(private readonly most: number) {}

  take(taker: Taker): boolean {
    if (this.takers.length >= this.most) return false;
    this.takers.push(taker);
    return true;
  }

  free(taker: Taker): void {
    const at = this.takers.indexOf(taker);
    if (at !== -1) this.takers.splice(at, 1);
  }

  /** The taker has ended, and its exports with it. */
  bury(taker: Taker): void {
    while (this.takers.includes(taker)) this.free(taker);
  }
}

/** The places of a process that answers alone. */
export class OwnExportPlaces implements ExportPlaces {
  private readonly places: LentExportPlaces<this>;

  constructor(most: number) {
    this.places = new LentExportPlaces(most);
  }

  take(): Promise<boolean> {
    return Promise.resolve(this.places.take(this));
  }

  free(): void {
    this.places.free(this);
  }
}
