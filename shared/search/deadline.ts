// A bound on how long one request is worked on: what a hostile boundary may cost ends there.

/** The work for a request took longer than it may. */
export class DeadlinePassedError extends Error {
  constructor() {
    super('the deadline of the request has passed');
    this.name = 'DeadlinePassedError';
  }
}

/** Looking at the clock costs as much as deciding a place. */
const CHECKS_PER_LOOK = 256;

export class Deadline {
  private readonly end: number;
  private checks = 0;

  constructor(
    private readonly now: () => Date,
    milliseconds: number,
  ) {
    this.end = now().getTime() + milliseconds;
  }

  /** Throws DeadlinePassedError; looks at the clock every so many times only, the first time among them. */
  check(): void {
    if (this.checks++ % CHECKS_PER_LOOK === 0 && this.now().getTime() > this.end) throw new DeadlinePassedError();
  }
}
