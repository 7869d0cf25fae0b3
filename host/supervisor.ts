// Several processes on one port (ADR 0056): the supervisor starts those that answer requests, replaces each that
// dies, gives them connections and allowances of keys, and stops them. It runs the timers, whose ticks have processes
// of their own. It answers nothing.

import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type Server } from 'node:net';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { timerFunctions } from '../data-loaders/intake/functions/main';
import { LimitLender } from '../shared/access/loans';
import { RateLimits } from '../shared/access/rate-limits';
import { LentExportPlaces } from '../shared/export/export-places';
import { TimerMemory } from '../shared/http/operating/health';
import { logFailure } from '../shared/http/service';
import type { Settings } from '../shared/settings';
import { Connections } from './connections';
import { startSchedules } from './loading';
import { MetricsCollector } from './metrics-collector';
import type { FromSupervisor, ToSupervisor } from './process-messages';
import { listen, type RunningServer } from './server';

const PROGRAM = join(__dirname, 'request-process.js');

/** For people. */
const NAME = 'A process that answers requests';

/** What ends so soon after its start would end again, so the next one waits as long. */
const SHORT_LIFE_MS = 1000;

/** Resolves when all processes have started. Rejects with a sentence when one cannot. */
export async function startProcesses(settings: Settings): Promise<RunningServer> {
  const server = createServer({ pauseOnConnect: true, noDelay: true });
  const supervisor = new Supervisor(settings, server, await listen(server, settings));
  try {
    // The first alone: what keeps one from starting keeps all, and is said once.
    await supervisor.start();
    await Promise.all(Array.from({ length: settings.workers - 1 }, () => supervisor.start()));
    supervisor.startTimers();
  } catch (error) {
    await supervisor.stop();
    throw error;
  }
  return supervisor;
}

class Supervisor implements RunningServer {
  private readonly running = new Set<ChildProcess>();
  private readonly connections = new Connections();
  private readonly lender: LimitLender<ChildProcess>;
  private readonly exportPlaces: LentExportPlaces<ChildProcess>;
  private readonly timers = new TimerMemory();
  private readonly metrics = new MetricsCollector<ChildProcess>();
  private stopTimers: (() => Promise<void>) | undefined;
  private isStopping = false;

  constructor(
    private readonly settings: Settings,
    private readonly server: Server,
    readonly port: number,
  ) {
    this.lender = new LimitLender(new RateLimits(settings));
    this.exportPlaces = new LentExportPlaces(settings.exportsAtOnce);
    server.on('connection', (socket) => {
      this.connections.give(socket);
    });
  }

  /** Starts a process that is replaced whenever it ends. Resolves when it is ready. */
  start(): Promise<void> {
    const { workers } = this.settings;
    const child = fork(PROGRAM, {
      env: { ...process.env, WORKERS: String(workers) },
      execArgv: [`--v8-pool-size=${collectingThreads(workers)}`, ...process.execArgv],
    });
    const startedAt = performance.now();
    this.running.add(child);
    return new Promise((resolve, reject) => {
      child.on('message', (message: ToSupervisor) => {
        if (message.kind === 'cannot start') reject(new Error(message.reason));
        else this.hear(child, message);
        if (message.kind === 'started') resolve();
      });
      // A process may end while it is told something; its exit says so.
      child.on('error', () => undefined);
      child.once('exit', (code, signal) => {
        const reason = `${NAME} ended (${signal ?? code ?? ''})`;
        reject(new Error(`${reason} before it was ready.`));
        this.forget(child);
        if (!this.isStopping) void this.replace(reason, performance.now() - startedAt);
      });
    });
  }

  startTimers(): void {
    this.stopTimers = startSchedules(timerFunctions, this.settings, logFailure, ({ name, at, outcome, counts }) => {
      this.timers.ended(name, at, outcome);
      this.metrics.own.ticked(name, outcome, counts);
      for (const child of this.running) tell(child, { kind: 'timers', timers: this.timers.all() });
    });
  }

  async stop(): Promise<void> {
    this.isStopping = true;
    this.server.close();
    const timersStopped = this.stopTimers?.();
    const ended = [...this.running].map((child) => once(child, 'exit'));
    for (const child of this.running) tell(child, { kind: 'stop' });
    await Promise.all([...ended, timersStopped]);
    this.connections.closeWaiting();
  }

  private async replace(reason: string, livedMs: number): Promise<void> {
    console.error(`${reason}; another takes its place.`);
    if (livedMs < SHORT_LIFE_MS) await sleep(SHORT_LIFE_MS);
    if (!this.isStopping) await this.start().catch(() => undefined); // Its exit has been heard already.
  }

  private async answerMetrics(child: ChildProcess, question: number): Promise<void> {
    const snapshots = await this.metrics.collect([...this.running], (asked, number) => {
      tell(asked, { kind: 'metrics wanted', question: number });
    });
    tell(child, { kind: 'all metrics', question, snapshots });
  }

  private forget(child: ChildProcess): void {
    this.running.delete(child);
    this.connections.leave(child);
    this.lender.bury(child, Date.now());
    this.exportPlaces.bury(child);
  }

  private hear(child: ChildProcess, message: Heard): void {
    switch (message.kind) {
      case 'started':
        this.connections.join(child);
        tell(child, { kind: 'timers', timers: this.timers.all() });
        break;
      case 'leaving':
        this.connections.leave(child);
        break;
      case 'connection taken':
        this.connections.taken(child, message.connection);
        break;
      case 'connection closed':
        this.connections.closed(child);
        break;
      case 'loan wanted': {
        const loan = this.lender.lend(child, message.report, Date.now());
        tell(child, { kind: 'loan', question: message.question, loan });
        break;
      }
      case 'spent':
        this.lender.settle(child, message.report, Date.now());
        break;
      case 'export place wanted':
        tell(child, {
          kind: 'export place',
          question: message.question,
          isTaken: this.exportPlaces.take(child),
        });
        break;
      case 'export place free':
        this.exportPlaces.free(child);
        break;
      case 'all metrics wanted':
        void this.answerMetrics(child, message.question);
        break;
      case 'metrics':
        this.metrics.hear(message.question, message.snapshot);
        break;
    }
  }
}

type Heard = Exclude<ToSupervisor, { readonly kind: 'cannot start' }>;

/** Node's four in each process would take the cores from the threads that answer, and pauses would last longer. */
function collectingThreads(workers: number): number {
  return Math.min(4, Math.max(1, Math.floor(availableParallelism() / workers)));
}

/** With a callback nothing is thrown when the process has just ended. */
function tell(child: ChildProcess, message: FromSupervisor): void {
  child.send(message, () => undefined);
}
