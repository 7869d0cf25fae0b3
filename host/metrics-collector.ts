// Asks the processes that answer on one port for their metrics (ADR 0055, ADR 0056).

import { setTimeout as sleep } from 'node:timers/promises';
import { ServiceMetrics, type MetricsSnapshot } from '../shared/http/operating/metrics';

/** A process that is busy for longer, or has ended, is left out: Prometheus gives up after ten seconds itself. */
const PATIENCE_MS = 3000;

export class MetricsCollector<Process> {
  /** What the supervisor counts itself: the ticks that it is told of. */
  readonly own = new ServiceMetrics(() => 0);
  private readonly waiting = new Map<number, (snapshot: MetricsSnapshot) => void>();
  private questions = 0;

  /** `ask` asks a process, whose answer is heard by the same number. */
  async collect(
    processes: readonly Process[],
    ask: (asked: Process, question: number) => void,
  ): Promise<readonly MetricsSnapshot[]> {
    const patience = new AbortController();
    const questions = processes.map((asked) => {
      const question = ++this.questions;
      const heard = new Promise<MetricsSnapshot>((resolve) => this.waiting.set(question, resolve));
      ask(asked, question);
      return { question, heard };
    });
    const late = sleep(PATIENCE_MS, [] as MetricsSnapshot, { signal: patience.signal }).catch(() => []);
    const snapshots = await Promise.all(questions.map(({ heard }) => Promise.race([heard, late])));
    patience.abort();
    for (const { question } of questions) this.waiting.delete(question);
    return [await this.own.snapshot(), ...snapshots];
  }

  hear(question: number, snapshot: MetricsSnapshot): void {
    this.waiting.get(question)?.(snapshot);
  }
}
