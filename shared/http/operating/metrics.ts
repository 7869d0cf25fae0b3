// Metrics for Prometheus (ADR 0056): requests by function, loads, the process, and what is published, by organization.
// No label takes its value from a client.

import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import type { MailCounts, MailOutcome } from '../../access/mail-queue';
import type { Store } from '../../store/port';

/** The result of one run of a loader. */
export interface LoadCounts {
  readonly published: number;
  readonly unchanged: number;
  readonly refused: number;
  readonly held: number;
  readonly rejectedRows: number;
  /** Outcomes of the emails that the timer tried to send. */
  readonly mails?: MailCounts;
}

export interface FinishedTick {
  /** The name of the timer. */
  readonly name: string;
  readonly at: Date;
  readonly outcome: 'done' | 'failed';
  /** Undefined if the run failed. */
  readonly counts: LoadCounts | undefined;
}

/** Histogram buckets in seconds, from a cached answer to the default deadline. */
const SECONDS = [0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1, 3, 10, 30];

/** The prefix of the service's own metrics. Metrics about the process have standard names. */
const PREFIX = 'water_';

/**
 * Gauges of prom-client whose names end in `_total`, which is reserved for counters. They are removed. Each is the sum
 * over a gauge with the same name but without the ending, so no information is lost.
 */
const MISNAMED_GAUGES = [
  'nodejs_active_handles_total',
  'nodejs_active_requests_total',
  'nodejs_active_resources_total',
];

/** The verdicts on submissions of the inbox. */
const VERDICTS = ['published', 'unchanged', 'refused', 'held'] as const;

const MAIL_OUTCOMES: readonly MailOutcome[] = ['sent', 'failed', 'givenUp', 'notWanted'];

/** Counts what the loaders have done, in the process that runs the timers. */
export class LoadMetrics {
  readonly registry = new Registry();
  private readonly ticks = counter(this.registry, 'ticks_total', 'Completed timer runs.', ['timer', 'outcome']);
  private readonly loads = counter(this.registry, 'loads_total', 'Submissions that were processed.', ['verdict']);
  private readonly rejectedRows = counter(this.registry, 'rejected_rows_total', 'Rows rejected by loads.');

  private readonly mails = counter(
    this.registry,
    'mails_by_timer_total',
    'Emails that the timer tried to send, by outcome.',
    ['outcome'],
  );

  /** Records a run of a timer. A failed run has no counts. */
  recordTick({ name, outcome, counts }: Omit<FinishedTick, 'at'>): void {
    this.ticks.inc({ timer: name, outcome });
    if (counts === undefined) return;
    for (const verdict of VERDICTS) this.loads.inc({ verdict }, counts[verdict]);
    this.rejectedRows.inc(counts.rejectedRows);
    for (const outcome of MAIL_OUTCOMES) this.mails.inc({ outcome }, counts.mails?.[outcome] ?? 0);
  }

  /** Returns the metrics in the Prometheus text format. */
  text(): Promise<string> {
    return this.registry.metrics();
  }
}

export class ServiceMetrics {
  /** All metrics except those in `loads`. */
  readonly registry = new Registry();
  readonly loads = new LoadMetrics();
  readonly requests = counter(this.registry, 'requests_total', 'Answered requests.', ['function', 'status']);
  readonly seconds = new Histogram({
    name: `${PREFIX}request_seconds`,
    help: 'Time from a request to its answer, excluding the time to send the answer.',
    labelNames: ['function'],
    buckets: SECONDS,
    registers: [this.registry],
  });
  readonly bytes = counter(this.registry, 'answer_bytes_total', 'Bytes in response bodies.', ['function']);
  readonly refusals = counter(this.registry, 'refusals_total', 'Rejected requests, by problem.', ['problem']);
  readonly cached = counter(this.registry, 'cached_answers_total', 'Answers sent from the cache.');
  readonly mails = counter(
    this.registry,
    'mails_total',
    'Emails that the service tried to send right after a request, by outcome.',
    ['outcome'],
  );
  readonly keyRequests = counter(this.registry, 'key_requests_total', 'Requests for self-service keys.', ['outcome']);
  readonly searches = counter(this.registry, 'searches_total', 'Answers that needed a search.');

  constructor(bytesInFlight: () => number) {
    const help = 'Bytes in answers that are being rendered or sent.';
    const { registry } = this;
    new Gauge({
      name: `${PREFIX}bytes_in_flight`,
      help,
      registers: [registry],
      collect() {
        this.set(bytesInFlight());
      },
    });
  }

  /** Adds metrics about the process: memory, processor time, event loop and garbage collection. */
  watchProcess(): void {
    collectDefaultMetrics({ register: this.registry });
    for (const name of MISNAMED_GAUGES) this.registry.removeSingleMetric(name);
  }

  /** Returns the metrics of this process only, in the Prometheus text format. */
  text(): Promise<string> {
    return Registry.merge([this.registry, this.loads.registry]).metrics();
  }
}

function counter(registry: Registry, name: string, help: string, labelNames: readonly string[] = []): Counter {
  return new Counter({ name: `${PREFIX}${name}`, help, labelNames: [...labelNames], registers: [registry] });
}

/**
 * Collects the published data sets and the number of held submissions. The names of organizations are public
 * (`/v1/Inventory`).
 */
export async function collectDataMetrics(store: Pick<Store, 'currentState' | 'held'>): Promise<string> {
  const [{ entries }, held] = await Promise.all([store.currentState(), store.held.list()]);
  const registry = new Registry();
  const gauge = (name: string, help: string, labelNames: readonly string[]): Gauge =>
    new Gauge({ name: `${PREFIX}${name}`, help, labelNames: [...labelNames], registers: [registry] });
  const labels = ['organization', 'data_set'];
  const published = gauge('data_published_timestamp_seconds', 'When the release of a data set was published.', labels);
  const records = gauge('data_records', 'Number of records in a data set.', labels);
  for (const { organizationUuid, dataSet, publishedAt, records: count } of entries) {
    published.set({ organization: organizationUuid, data_set: dataSet }, Date.parse(publishedAt) / 1000);
    records.set({ organization: organizationUuid, data_set: dataSet }, count);
  }
  gauge('held_data_sets', 'Data sets with a submission that waits for confirmation.', []).set(held.length);
  return registry.metrics();
}

/** The media type of the Prometheus text format. */
export const METRICS_TYPE = Registry.PROMETHEUS_CONTENT_TYPE;
