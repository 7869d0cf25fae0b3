// Several processes on one port (ADR 0056): the primary process of node:cluster starts the workers, which answer
// requests, replaces each that dies, gives them connections, and stops them. It runs the timers, whose ticks have
// processes of their own. It answers nothing.

import cluster, { type Worker } from 'node:cluster';
import { once } from 'node:events';
import { createServer, type Server, type Socket } from 'node:net';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { AggregatorRegistry } from 'prom-client';
import { timerFunctions } from '../data-loaders/intake/timers';
import { logFailure } from '../shared/http/make-service';
import { TimerMemory } from '../shared/http/operating/health';
import { LoadMetrics } from '../shared/http/operating/metrics';
import type { Settings } from '../shared/settings';
import { startSchedules } from './loading';
import type { ToPrimary, ToWorker } from './request-process';
import { listen, type RunningServer } from './server';

const PROGRAM = join(__dirname, 'request-process.js');

/** For people. */
const NAME = 'A process that answers requests';

/** What ends so soon after its start would end again, so the next one waits as long. */
const SHORT_LIFE_MS = 1000;

/** Resolves when all workers have started. Rejects with a sentence when one cannot. */
export async function startWorkers(settings: Settings): Promise<RunningServer> {
  const server = createServer({ pauseOnConnect: true, noDelay: true });
  const workers = new Workers(settings, server, await listen(server, settings));
  try {
    // The first alone: what keeps one from starting keeps all, and is said once.
    await workers.start();
    await Promise.all(Array.from({ length: settings.workers - 1 }, () => workers.start()));
    workers.startTimers();
  } catch (error) {
    await workers.stop();
    throw error;
  }
  return workers;
}

class Workers implements RunningServer {
  private readonly running = new Set<Worker>();
  private readonly connections = new Connections();
  private readonly timers = new TimerMemory();
  private readonly loads = new LoadMetrics();
  private readonly workerMetrics = new AggregatorRegistry();
  private stopTimers: (() => Promise<void>) | undefined;
  private isStopping = false;

  constructor(
    private readonly settings: Settings,
    private readonly server: Server,
    readonly port: number,
  ) {
    const execArgv = [`--v8-pool-size=${collectingThreads(settings.workers)}`, ...process.execArgv];
    cluster.setupPrimary({ exec: PROGRAM, execArgv });
    server.on('connection', (socket) => {
      this.connections.give(socket);
    });
  }

  /** Starts a worker that is replaced whenever it ends. Resolves when it is ready. */
  start(): Promise<void> {
    const worker = cluster.fork({ WORKERS: String(this.settings.workers) });
    const startedAt = performance.now();
    this.running.add(worker);
    return new Promise((resolve, reject) => {
      worker.on('message', (message: ToPrimary) => {
        if (message.kind === 'cannot start') reject(new Error(message.reason));
        else this.receive(worker, message);
        if (message.kind === 'ready') resolve();
      });
      // A worker may end while it is told something; its exit says so.
      worker.on('error', () => undefined);
      worker.once('exit', (code: number | null, signal: string | null) => {
        const reason = `${NAME} ended (${signal ?? code ?? ''})`;
        reject(new Error(`${reason} before it was ready.`));
        this.running.delete(worker);
        this.connections.leave(worker);
        if (!this.isStopping) void this.replace(reason, performance.now() - startedAt);
      });
    });
  }

  startTimers(): void {
    this.stopTimers = startSchedules(timerFunctions, this.settings, logFailure, (tick) => {
      this.timers.recordTick(tick);
      this.loads.recordTick(tick);
      for (const worker of this.running) tell(worker, { kind: 'timers', timers: this.timers.list() });
    });
  }

  async stop(): Promise<void> {
    this.isStopping = true;
    this.server.close();
    const timersStopped = this.stopTimers?.();
    const ended = [...this.running].map((worker) => once(worker, 'exit'));
    for (const worker of this.running) tell(worker, { kind: 'stop' });
    await Promise.all([...ended, timersStopped]);
    this.connections.closeWaiting();
  }

  private async replace(reason: string, livedMs: number): Promise<void> {
    console.error(`${reason}; another takes its place.`);
    if (livedMs < SHORT_LIFE_MS) await sleep(SHORT_LIFE_MS);
    if (!this.isStopping) await this.start().catch(() => undefined); // Its exit was handled already.
  }

  private receive(worker: Worker, message: Exclude<ToPrimary, { readonly kind: 'cannot start' }>): void {
    switch (message.kind) {
      case 'ready':
        this.connections.join(worker);
        tell(worker, { kind: 'timers', timers: this.timers.list() });
        break;
      case 'leaving':
        this.connections.leave(worker);
        break;
      case 'connection taken':
        this.connections.taken(worker, message.connection);
        break;
      case 'metrics wanted':
        void this.sendMetrics(worker, message.question);
        break;
    }
  }

  private async sendMetrics(worker: Worker, question: number): Promise<void> {
    const text = await this.collectMetrics().catch((error: unknown) => {
      logFailure('the metrics of all processes could not be collected', error);
      return undefined;
    });
    tell(worker, { kind: 'metrics', question, text });
  }

  private async collectMetrics(): Promise<string> {
    return `${await this.workerMetrics.clusterMetrics()}\n${await this.loads.text()}`;
  }
}

/**
 * The connections of the service: the primary accepts each and gives it to a worker, unread. Until that worker says
 * that it has it, the primary keeps it, and gives it to another one when the worker ends instead. node:cluster would
 * leave it open with nobody to answer it.
 */
class Connections {
  /** The connections that each worker was given and has not taken yet, by number. The last in turn was given last. */
  private readonly given = new Map<Worker, Map<number, Socket>>();
  /** Connections that came while there was no worker. */
  private readonly waiting: Socket[] = [];
  private numbers = 0;

  join(worker: Worker): void {
    this.given.set(worker, new Map());
    for (const socket of this.waiting.splice(0)) this.giveInTurn(socket);
  }

  /** The worker has ended, or takes nothing more. */
  leave(worker: Worker): void {
    const given = this.given.get(worker)?.values() ?? [];
    this.given.delete(worker);
    for (const socket of given) this.giveInTurn(socket);
  }

  give(socket: Socket): void {
    // A client that goes away is for whoever answers it to notice.
    socket.on('error', () => undefined);
    this.giveInTurn(socket);
  }

  taken(worker: Worker, number: number): void {
    const given = this.given.get(worker);
    // Only the descriptor of this process is closed; the connection lives on in the other.
    given?.get(number)?.destroy();
    given?.delete(number);
  }

  closeWaiting(): void {
    for (const socket of this.waiting.splice(0)) socket.destroy();
  }

  /** A worker that has not taken what it was given is busy: the others come before it. */
  private giveInTurn(socket: Socket): void {
    const [next] = [...this.given].sort(([, a], [, b]) => a.size - b.size);
    if (next === undefined) {
      this.waiting.push(socket);
      return;
    }
    const [worker, given] = next;
    this.given.delete(worker);
    this.given.set(worker, given);
    const number = ++this.numbers;
    given.set(number, socket);
    const message: ToWorker = { kind: 'connection', connection: number };
    // With a callback nothing is thrown when the worker has just ended; its exit gives the socket to another.
    worker.send(message, socket, { keepOpen: true }, () => undefined);
  }
}

/** Node's four in each process would take the cores from the threads that answer, and pauses would last longer. */
function collectingThreads(workers: number): number {
  return Math.min(4, Math.max(1, Math.floor(availableParallelism() / workers)));
}

/** With a callback nothing is thrown when the worker has just ended. */
function tell(worker: Worker, message: ToWorker): void {
  worker.send(message, () => undefined);
}
