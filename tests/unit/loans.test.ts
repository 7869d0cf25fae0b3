// Limits of keys over several processes: a lender and processes that borrow from it, with messages that take time.

import fc from 'fast-check';
import { BorrowedAllowance, LimitLender, type Loan, type LoanReport } from '../../shared/access/loans';
import { RateLimits, type Allowance, type Quotas } from '../../shared/access/rate-limits';

const MINUTE = 60_000;

/** One way of a message: what was sent last arrives last. */
class Pipe {
  private readonly letters: (() => void)[] = [];

  send(arrive: () => void): void {
    this.letters.push(arrive);
  }

  deliver(): void {
    this.letters.shift()?.();
  }
}

/** Several processes of one service, a clock that the test moves, and messages that arrive when the test says so. */
class World {
  now = 0;
  admitted = 0;
  readonly answers: (number | undefined)[] = [];
  private readonly lender: LimitLender<number>;
  private readonly borrowers: {
    readonly limits: RateLimits;
    readonly up: Pipe;
    readonly down: Pipe;
    readonly ends: (() => void)[];
  }[];

  constructor(
    readonly quotas: Quotas,
    processes: number,
  ) {
    this.lender = new LimitLender(new RateLimits(quotas));
    this.borrowers = Array.from({ length: processes }, (_, index) => this.process(index));
  }

  private process(index: number): World['borrowers'][number] {
    const [up, down, ends] = [new Pipe(), new Pipe(), [] as (() => void)[]];
    const lender = {
      ask: (report: LoanReport) =>
        new Promise<Loan>((resolve) => {
          up.send(() => {
            const loan = this.lender.lend(index, report, this.now);
            down.send(() => {
              resolve(loan);
            });
          });
        }),
      tell: (report: LoanReport) => {
        up.send(() => this.lender.settle(index, report, this.now));
      },
    };
    const parts = { lender, now: () => this.now, schedule: (act: () => void) => void ends.push(act) };
    return {
      limits: new RateLimits(this.quotas, (id, quotas) => new BorrowedAllowance(id, quotas, parts)),
      up,
      down,
      ends,
    };
  }

  allowanceIn(process: number): Allowance {
    return this.at(process).limits.allowanceOf(
      { id: 'key', requestsPerMinute: null, recordsPerMinute: null },
      this.now,
    );
  }

  /** Sends a request with so many records to a process, and does not wait for anything. */
  request(process: number, records: number): void {
    const allowance = this.allowanceIn(process);
    const place = this.answers.push(undefined) - 1;
    void Promise.resolve(allowance.takeRequest(this.now)).then((secondsToWait) => {
      this.answers[place] = secondsToWait;
      if (secondsToWait > 0) return;
      this.admitted++;
      if (records > 0) allowance.takeRecords(records, this.now);
    });
  }

  async deliver(process: number): Promise<void> {
    this.at(process).up.deliver();
    this.at(process).down.deliver();
    for (let turn = 0; turn < 10; turn++) await Promise.resolve();
  }

  async deliverAll(): Promise<void> {
    for (let round = 0; round < 3; round++) {
      for (const index of this.borrowers.keys()) await this.deliver(index);
    }
  }

  /** The time of a loan is over. */
  endLoans(process: number): void {
    for (const end of this.at(process).ends.splice(0)) end();
  }

  /** Takes most of what there is at once, so that the limit is near. */
  spend(requests: number): void {
    const { requestsPerMinute, recordsPerMinute } = this.quotas;
    const account = `key ${requestsPerMinute} ${recordsPerMinute}`;
    const report = { account, quotas: this.quotas, spent: { requests, records: 0 }, endsLoan: false };
    this.lender.settle(PROCESSES, report, this.now);
    this.admitted += requests;
  }

  die(process: number): void {
    this.lender.bury(process, this.now);
    this.borrowers[process] = this.process(process);
  }

  private at(process: number): World['borrowers'][number] {
    const borrower = this.borrowers[process];
    if (borrower === undefined) throw new Error('no such process');
    return borrower;
  }
}

const PROCESSES = 3;
const processes = fc.nat({ max: PROCESSES - 1 });

const steps = fc.array(
  fc.oneof(
    {
      weight: 12,
      arbitrary: fc.record({
        kind: fc.constant('request' as const),
        process: processes,
        records: fc.constantFrom(0, 1, 1000, 10_000),
      }),
    },
    { weight: 12, arbitrary: fc.record({ kind: fc.constant('deliver' as const), process: processes }) },
    { weight: 2, arbitrary: fc.record({ kind: fc.constant('time' as const), ms: fc.nat({ max: 2000 }) }) },
    { weight: 2, arbitrary: fc.record({ kind: fc.constant('end' as const), process: processes }) },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('die' as const), process: processes }) },
  ),
  { minLength: 50, maxLength: 400 },
);

const quotas = fc.record({
  requestsPerMinute: fc.constantFrom(1, 60, 6_000, 7_000),
  recordsPerMinute: fc.constantFrom(50_000, 1_000_000_000, 1_000_000_000),
});

test('all processes together never admit more requests than the limit, whatever is late and whoever dies', async () => {
  await fc.assert(
    fc.asyncProperty(quotas, steps, fc.nat({ max: 40 }), async (limits, sequence, burst) => {
      const world = new World(limits, PROCESSES);
      world.spend(Math.max(0, limits.requestsPerMinute - 300));
      for (const step of sequence) {
        if (step.kind === 'request')
          for (let count = 0; count <= burst; count++) world.request(step.process, step.records);
        else if (step.kind === 'deliver') await world.deliver(step.process);
        else if (step.kind === 'time') world.now += step.ms;
        else if (step.kind === 'end') world.endLoans(step.process);
        else world.die(step.process);
        const most = limits.requestsPerMinute * (1 + world.now / MINUTE);
        expect(world.admitted).toBeLessThanOrEqual(most + 1e-6);
      }
    }),
    { numRuns: 200 },
  );
}, 120_000);

test.each([
  ['a low limit, to the last request', { requestsPerMinute: 60, recordsPerMinute: 1_000_000 }, 60],
  [
    'a high limit, but for what others have on loan',
    { requestsPerMinute: 30_000, recordsPerMinute: 30_000_000 },
    29_000,
  ],
])('a key may use up %s, over all processes', async (_, limits, least) => {
  const world = new World(limits, PROCESSES);
  for (let count = 0; count < limits.requestsPerMinute + 10; count++) {
    world.request(count % PROCESSES, 0);
    if (count % 10 === 0) await world.deliverAll();
  }
  for (let count = 0; count < limits.requestsPerMinute && world.answers.includes(undefined); count++)
    await world.deliverAll();
  expect(world.admitted).toBeGreaterThanOrEqual(least);
  expect(world.admitted).toBeLessThanOrEqual(limits.requestsPerMinute);
});

test('one request after the other is judged as one process judges it, whichever process it comes to', async () => {
  const sequence = fc.array(
    fc.record({ process: processes, records: fc.nat({ max: 60 }), ms: fc.nat({ max: 3000 }) }),
    { maxLength: 60 },
  );
  const low = fc.record({
    requestsPerMinute: fc.integer({ min: 1, max: 40 }),
    recordsPerMinute: fc.integer({ min: 1, max: 400 }),
  });
  await fc.assert(
    fc.asyncProperty(low, sequence, async (limits, requests) => {
      const world = new World(limits, PROCESSES);
      const alone = new RateLimits(limits).allowanceOf(
        { id: 'key', requestsPerMinute: null, recordsPerMinute: null },
        0,
      );
      for (const { process, records, ms } of requests) {
        world.now += ms;
        world.request(process, records);
        await world.deliverAll();
        const secondsToWait = alone.takeRequest(world.now);
        expect(world.answers.at(-1)).toBe(secondsToWait);
        expect(world.allowanceIn(process).requests.leftAt(world.now)).toBeCloseTo(alone.requests.leftAt(world.now), 6);
        if (secondsToWait === 0) alone.takeRecords(records, world.now);
        expect(world.allowanceIn(process).records.leftAt(world.now)).toBeCloseTo(alone.records.leftAt(world.now), 6);
      }
    }),
  );
});

test('a page beyond what is left makes requests to every process wait', async () => {
  const world = new World({ requestsPerMinute: 600, recordsPerMinute: 100 }, PROCESSES);
  world.request(0, 10_000);
  await world.deliverAll();
  for (const process of [0, 1, 2]) world.request(process, 0);
  await world.deliverAll();
  expect(world.answers).toEqual([0, 5941, 5941, 5941]);
});

test('what a loan has left is there for others when its time is over', async () => {
  const world = new World({ requestsPerMinute: 6000, recordsPerMinute: 1_000_000_000 }, 2);
  world.request(0, 0);
  await world.deliverAll();
  expect(world.allowanceIn(1).requests.leftAt(0)).toBe(6000);
  const asked = async (): Promise<number> => {
    world.request(1, 0);
    await world.deliverAll();
    return world.allowanceIn(1).requests.leftAt(0);
  };
  expect(await asked()).toBe(6000 - 1 - 60 - 1);
  world.endLoans(0);
  world.endLoans(1);
  await world.deliverAll();
  expect(await asked()).toBe(6000 - 3);
});
