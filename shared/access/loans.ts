// Limits of keys over several processes (ADR 0056). One process, the lender, has the buckets. The others ask it before
// they admit a request; a key with a high limit then gets a loan, a share of what is left, which its process spends
// without asking. What is lent is taken from nobody twice, so all processes together never admit more than the limit.

import { Allowance, type Quotas, type RateLimits } from './rate-limits';

export interface Tokens {
  readonly requests: number;
  readonly records: number;
}

/** What a process tells the lender about a key. */
export interface LoanReport {
  /** The id of the key with its limits: a process that has not heard of other limits yet keeps to the former ones. */
  readonly account: string;
  readonly quotas: Quotas;
  /** What was spent since the last report, from a loan or not. */
  readonly spent: Tokens;
  /** Whether the process had a loan, which ends with this report. */
  readonly endsLoan: boolean;
}

/** The lender's answer for one request that waits. */
export interface Loan {
  /** 0: the request is admitted, and counted already. */
  readonly secondsToWait: number;
  /** Tokens in the buckets without the loans of other processes, for the headers. */
  readonly left: Tokens;
  readonly lent: Tokens | undefined;
}

export interface Lender {
  readonly ask: (report: LoanReport) => Promise<Loan>;
  /** Ends a loan when no request waits. */
  readonly tell: (report: LoanReport) => void;
}

const NOTHING: Tokens = { requests: 0, records: 0 };

/** A key has at most this share of its limits in one loan, and at most half of what is left. */
const LARGEST_SHARE = 1 / 100;

/** Keys with a lower limit than 100 requests a second are asked for each time: nothing of theirs is out on loan. */
const LEAST_REQUESTS_PER_MINUTE = 6_000;

/** A loan then holds the records of a page. */
const LEAST_RECORDS_PER_MINUTE = 1_000_000;

/** The one process that has the buckets. */
export class LimitLender<Borrower> {
  /** What each process has on loan, by the allowance that it comes from. */
  private readonly loans = new Map<Borrower, Map<Allowance, Tokens>>();

  /** `limits` is asked for accounts instead of keys; each names its own limits. */
  constructor(private readonly limits: RateLimits) {}

  /** Counts what was spent. */
  settle(borrower: Borrower, { account, quotas, spent, endsLoan }: LoanReport, now: number): Allowance {
    const allowance = this.limits.allowanceOf({ id: account, ...quotas }, now);
    allowance.requests.take(spent.requests, now);
    allowance.records.take(spent.records, now);
    if (endsLoan) this.loans.get(borrower)?.delete(allowance);
    return allowance;
  }

  /** Admits a request or not, and lends beside it what is there to lend. */
  lend(borrower: Borrower, report: LoanReport, now: number): Loan {
    const allowance = this.settle(borrower, report, now);
    const out = this.onLoan(allowance);
    const secondsToWait = Math.max(
      allowance.requests.secondsUntil(1 + out.requests, now),
      allowance.records.secondsUntil(1 + out.records, now),
    );
    if (secondsToWait === 0) allowance.requests.take(1, now);
    const left = {
      requests: allowance.requests.leftAt(now) - out.requests,
      records: allowance.records.leftAt(now) - out.records,
    };
    const lent = secondsToWait === 0 ? shareOf(report.quotas, left) : undefined;
    if (lent !== undefined) this.loansOf(borrower).set(allowance, lent);
    return { secondsToWait, left, lent };
  }

  /** A process ended without a report: what it had on loan counts as spent, since it may have been. */
  bury(borrower: Borrower, now: number): void {
    for (const [allowance, lent] of this.loans.get(borrower) ?? []) {
      allowance.requests.take(lent.requests, now);
      allowance.records.take(lent.records, now);
    }
    this.loans.delete(borrower);
  }

  private loansOf(borrower: Borrower): Map<Allowance, Tokens> {
    const loans = this.loans.get(borrower) ?? new Map<Allowance, Tokens>();
    this.loans.set(borrower, loans);
    return loans;
  }

  private onLoan(allowance: Allowance): Tokens {
    let { requests, records } = NOTHING;
    for (const loans of this.loans.values()) {
      const lent = loans.get(allowance) ?? NOTHING;
      requests += lent.requests;
      records += lent.records;
    }
    return { requests, records };
  }
}

function shareOf({ requestsPerMinute, recordsPerMinute }: Quotas, left: Tokens): Tokens | undefined {
  if (requestsPerMinute < LEAST_REQUESTS_PER_MINUTE || recordsPerMinute < LEAST_RECORDS_PER_MINUTE) return undefined;
  const requests = Math.floor(Math.min(requestsPerMinute * LARGEST_SHARE, left.requests / 2));
  const records = Math.floor(Math.min(recordsPerMinute * LARGEST_SHARE, left.records / 2));
  return requests >= 1 && records >= 1 ? { requests, records } : undefined;
}

/** A loan that is not used up ends after this time, so that others can have the rest. */
const LOAN_MS = 1000;

/** The allowance of a key in a process that borrows. Its buckets are what the lender said last, for the headers. */
export class BorrowedAllowance extends Allowance {
  /** The rest of the loan. */
  private lent: Tokens | undefined;
  private spent = NOTHING;
  /** The requests that ask the lender, one after the other: the next ones may find a loan. */
  private turn: Promise<unknown> = Promise.resolve();
  private isEndSet = false;

  /** `schedule` calls back when a loan is to end. */
  constructor(
    private readonly keyId: string,
    private quotas: Quotas,
    private readonly parts: {
      readonly lender: Lender;
      readonly now: () => number;
      readonly schedule?: (act: () => void) => void;
    },
  ) {
    super(quotas, parts.now());
  }

  override limitTo(quotas: Quotas, now: number): void {
    super.limitTo(quotas, now);
    const { requestsPerMinute, recordsPerMinute } = this.quotas;
    if (requestsPerMinute === quotas.requestsPerMinute && recordsPerMinute === quotas.recordsPerMinute) return;
    this.endLoan();
    this.quotas = quotas;
  }

  override takeRequest(now: number): number | Promise<number> {
    if (this.isAdmitted(now)) return 0;
    const asked = this.turn.then(() => (this.isAdmitted(this.parts.now()) ? 0 : this.ask()));
    // Whoever comes next asks again where this one failed.
    this.turn = asked.catch(() => undefined);
    return asked;
  }

  override takeRecords(records: number, now: number): void {
    super.takeRecords(records, now);
    this.spent = { ...this.spent, records: this.spent.records + records };
    if (this.lent !== undefined) this.lent = { ...this.lent, records: this.lent.records - records };
    // Other processes must hear of what goes beyond the loan before they admit more.
    if (this.lent === undefined || this.lent.records < 1) this.endLoan();
  }

  /** Takes the request from the loan, while there is one. */
  private isAdmitted(now: number): boolean {
    if (this.lent === undefined || this.lent.requests < 1 || this.lent.records < 1) return false;
    this.lent = { ...this.lent, requests: this.lent.requests - 1 };
    this.spent = { ...this.spent, requests: this.spent.requests + 1 };
    this.requests.take(1, now);
    return true;
  }

  private async ask(): Promise<number> {
    const { secondsToWait, left, lent } = await this.parts.lender.ask(this.report());
    const now = this.parts.now();
    this.requests.take(this.requests.leftAt(now) - left.requests, now);
    this.records.take(this.records.leftAt(now) - left.records, now);
    this.lent = lent;
    if (lent !== undefined && !this.isEndSet) {
      this.isEndSet = true;
      (this.parts.schedule ?? inASecond)(() => {
        this.isEndSet = false;
        this.endLoan();
      });
    }
    return secondsToWait;
  }

  private endLoan(): void {
    if (this.lent !== undefined || this.spent !== NOTHING) this.parts.lender.tell(this.report());
  }

  private report(): LoanReport {
    const { requestsPerMinute, recordsPerMinute } = this.quotas;
    const account = `${this.keyId} ${requestsPerMinute} ${recordsPerMinute}`;
    const report = { account, quotas: this.quotas, spent: this.spent, endsLoan: this.lent !== undefined };
    this.lent = undefined;
    this.spent = NOTHING;
    return report;
  }
}

function inASecond(act: () => void): void {
  setTimeout(act, LOAN_MS).unref();
}
