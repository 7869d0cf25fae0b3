// The primary process if WORKERS is above 1 (ADR 0056). It starts the processes that answer requests, replaces each one
// that ends, runs the timers, collects the metrics of all processes, and stops them. It answers no requests.

import cluster, { type Worker } from 'node:cluster';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { AggregatorRegistry } from 'prom-client';
import { timerFunctions } from '../functions/timer-functions';
import { logFailure } from '../shared/http/make-service';
import { TimerMemory } from '../shared/http/operating/health';
import { LoadMetrics } from '../shared/http/operating/metrics';
import type { Settings } from '../shared/settings';
import type { ToPrimary, ToWorker } from './request-process';
import { startSchedules } from './schedules';
import { listen, type RunningServer } from './server';

const PROGRAM = join(__dirname, 'request-process.js');

/** The name of the processes in messages to the operator. */
const NAME = 'A process that answers requests';

/** A process that ends this soon would probably end again, so its replacement starts after the same delay. */
const SHORT_LIFE_MS = 1000;

/** Resolves when all workers listen. Rejects with a sentence when one of them cannot start. */
export async function startWorkers(settings: Settings): Promise<RunningServer> {
  const workers = new Workers(settings, settings.port === 0 ? await findFreePort(settings) : settings.port);
  try {
    // The first process starts alone, so that a problem that affects all processes is reported only once.
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
  private readonly timers = new TimerMemory();
  private readonly loads = new LoadMetrics();
  private readonly workerMetrics = new AggregatorRegistry();
  private stopTimers: (() => Promise<void>) | undefined;
  private isStopping = false;

  constructor(
    private readonly settings: Settings,
    readonly port: number,
  ) {
    // Each worker accepts its own connections. If the primary process passed them on, a connection that is being passed
    // to a dying worker would never be answered.
    cluster.schedulingPolicy = cluster.SCHED_NONE;
    const execArgv = [`--v8-pool-size=${countGarbageCollectionThreads(settings.workers)}`, ...process.execArgv];
    cluster.setupPrimary({ exec: PROGRAM, execArgv });
  }

  /** Starts a worker, and replaces it whenever it ends. Resolves when the worker listens. */
  start(): Promise<void> {
    const worker = cluster.fork({ WORKERS: String(this.settings.workers), PORT: String(this.port) });
    const startedAt = performance.now();
    this.running.add(worker);
    return new Promise((resolve, reject) => {
      worker.on('message', (message: ToPrimary) => {
        switch (message.kind) {
          case 'ready':
            tell(worker, { kind: 'timers', timers: this.timers.list() });
            resolve();
            break;
          case 'cannot start':
            reject(new Error(message.reason));
            break;
          case 'metrics requested':
            void this.sendMetrics(worker, message.requestNumber);
            break;
        }
      });
      // Sending to a worker that has just ended emits an error. The exit below handles it.
      worker.on('error', () => undefined);
      worker.once('exit', (code: number | null, signal: string | null) => {
        const reason = `${NAME} ended (${signal ?? code ?? ''})`;
        reject(new Error(`${reason} before it was ready.`));
        this.running.delete(worker);
        if (!this.isStopping) void this.replace(reason, performance.now() - startedAt);
      });
    });
  }

  startTimers(): void {
    this.stopTimers = startSchedules(timerFunctions, this.settings, logFailure, (run) => {
      this.timers.recordTick(run);
      this.loads.recordTick(run);
      for (const worker of this.running) tell(worker, { kind: 'timers', timers: this.timers.list() });
    });
  }

  async stop(): Promise<void> {
    this.isStopping = true;
    const timersStopped = this.stopTimers?.();
    const ended = [...this.running].map((worker) => once(worker, 'exit'));
    for (const worker of this.running) tell(worker, { kind: 'stop' });
    await Promise.all([...ended, timersStopped]);
  }

  private async replace(reason: string, livedMs: number): Promise<void> {
    console.error(`${reason}; starting a replacement.`);
    if (livedMs < SHORT_LIFE_MS) await sleep(SHORT_LIFE_MS);
    if (!this.isStopping) await this.start().catch(() => undefined); // Its exit was already handled.
  }

  private async sendMetrics(worker: Worker, requestNumber: number): Promise<void> {
    const text = await this.collectMetrics().catch((error: unknown) => {
      logFailure('the metrics of all processes could not be collected', error);
      return undefined;
    });
    tell(worker, { kind: 'metrics', requestNumber, text });
  }

  private async collectMetrics(): Promise<string> {
    return `${await this.workerMetrics.clusterMetrics()}\n${await this.loads.text()}`;
  }
}

/** A replacement worker must use the same port, so if the system may choose the port, it is chosen once, here. */
async function findFreePort(settings: Settings): Promise<number> {
  const server = createServer();
  const port = await listen(server, settings);
  server.close();
  await once(server, 'close');
  return port;
}

/**
 * Node's default of four threads in each process would compete with the threads that answer requests, and prolong
 * pauses.
 */
function countGarbageCollectionThreads(workers: number): number {
  return Math.min(4, Math.max(1, Math.floor(availableParallelism() / workers)));
}

/** The callback is needed: without it, `send` throws if the worker has just ended. */
function tell(worker: Worker, message: ToWorker): void {
  worker.send(message, () => undefined);
}
