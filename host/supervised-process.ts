// A process that a supervisor starts and stops: the way to the supervisor, and the life from one to the other.

import type { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Loan, LoanReport, Lender } from '../shared/access/loans';
import type { ExportPlaces } from '../shared/export/export-places';
import type { TimerState } from '../shared/http/operating/health';
import type { MetricsSnapshot, ServiceMetrics } from '../shared/http/operating/metrics';
import { runMain } from '../tools/command';
import type { FromSupervisor, ToSupervisor } from './process-messages';

/** What came on connections that were taken just before the end is read in this time. */
const GRACE_MS = 100;

/** What a process does with what it gets. */
export interface Duties {
  readonly takeConnection?: (socket: Socket) => void;
  readonly metrics?: ServiceMetrics;
  readonly rememberTimers?: (timers: readonly TimerState[]) => void;
  /** Resolves when all that was under way is done. */
  readonly end: () => Promise<void>;
}

/** Listens from the moment it is made. */
class SupervisorLink implements Lender, ExportPlaces {
  duties: Duties | undefined;
  private readonly waiting = new Map<number, (loan: Loan) => void>();
  private readonly waitingForPlace = new Map<number, (isTaken: boolean) => void>();
  private readonly waitingForMetrics = new Map<number, (snapshots: readonly MetricsSnapshot[]) => void>();
  private questions = 0;

  constructor() {
    process.on('message', (message: FromSupervisor, socket: Socket | undefined) => {
      this.hear(message, socket);
    });
    // Without a supervisor nobody would replace this process or stop it.
    process.once('disconnect', () => process.exit());
  }

  ask(report: LoanReport): Promise<Loan> {
    const question = ++this.questions;
    return new Promise((resolve) => {
      this.waiting.set(question, resolve);
      void this.send({ kind: 'loan wanted', question, report });
    });
  }

  take(): Promise<boolean> {
    const question = ++this.questions;
    return new Promise((resolve) => {
      this.waitingForPlace.set(question, resolve);
      void this.send({ kind: 'export place wanted', question });
    });
  }

  free(): void {
    void this.send({ kind: 'export place free' });
  }

  /** The metrics of all processes. */
  collectMetrics(): Promise<readonly MetricsSnapshot[]> {
    const question = ++this.questions;
    return new Promise((resolve) => {
      this.waitingForMetrics.set(question, resolve);
      void this.send({ kind: 'all metrics wanted', question });
    });
  }

  tell(report: LoanReport): void {
    void this.send({ kind: 'spent', report });
  }

  /** Resolves when the message is on its way. */
  send(message: ToSupervisor): Promise<unknown> {
    return new Promise((resolve) => process.send?.(message, undefined, undefined, resolve));
  }

  private hear(message: FromSupervisor, socket: Socket | undefined): void {
    switch (message.kind) {
      case 'stop':
        process.emit('SIGTERM');
        break;
      case 'connection':
        this.takeConnection(message.connection, socket);
        break;
      case 'timers':
        this.duties?.rememberTimers?.(message.timers);
        break;
      case 'export place':
        this.waitingForPlace.get(message.question)?.(message.isTaken);
        this.waitingForPlace.delete(message.question);
        break;
      case 'metrics wanted':
        void this.sendMetrics(message.question);
        break;
      case 'all metrics':
        this.waitingForMetrics.get(message.question)?.(message.snapshots);
        this.waitingForMetrics.delete(message.question);
        break;
      case 'loan':
        this.waiting.get(message.question)?.(message.loan);
        this.waiting.delete(message.question);
        break;
    }
  }

  private async sendMetrics(question: number): Promise<void> {
    const snapshot = (await this.duties?.metrics?.snapshot()) ?? [];
    await this.send({ kind: 'metrics', question, snapshot });
  }

  /** A connection that is not taken goes to another process. */
  private takeConnection(connection: number, socket: Socket | undefined): void {
    const take = this.duties?.takeConnection;
    if (take === undefined) {
      socket?.destroy();
      return;
    }
    void this.send({ kind: 'connection taken', connection });
    const closed = (): void => void this.send({ kind: 'connection closed' });
    // The socket of a client that has gone meanwhile may not come.
    if (socket === undefined) {
      closed();
      return;
    }
    socket.once('close', closed);
    take(socket);
  }
}

/** Runs a process until it is told to stop, by the supervisor or by a signal to it alone. */
export function runSupervised(begin: (link: SupervisorLink) => Duties): void {
  const link = new SupervisorLink();
  const stopped = new Promise<void>((resolve) => {
    process.on('SIGTERM', () => {
      resolve();
    });
  });
  // Ctrl-C goes to all processes of a terminal, and the supervisor passes it on.
  process.on('SIGINT', () => undefined);
  void runMain(async () => {
    try {
      link.duties = begin(link);
      await link.send({ kind: 'started' });
      await stopped;
      const { end } = link.duties;
      link.duties = undefined;
      await link.send({ kind: 'leaving' });
      await sleep(GRACE_MS);
      await end();
    } catch (error) {
      await link.send({ kind: 'cannot start', reason: error instanceof Error ? error.message : String(error) });
    }
    // The process ends with the link.
    process.disconnect();
    return 0;
  });
}
