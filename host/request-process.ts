// One of the processes that answer requests when WORKERS is above 1 (ADR 0056): a worker of node:cluster with its share
// of the service's memory and limits. It gets its connections from the primary process.

import type { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { AggregatorRegistry } from 'prom-client';
import { httpFunctions } from '../functions/main';
import { closeService } from '../shared/http/make-service';
import type { TimerState } from '../shared/http/operating/health';
import { type Service } from '../shared/http/pipeline/service';
import type { Settings } from '../shared/settings';
import { commandSettings, runMain } from '../tools/command';
import { createLocalService } from './local-service';
import { type ConnectionServer, startConnectionServer } from './server';

export type ToPrimary =
  | { readonly kind: 'ready' }
  /** The worker takes no more connections, and ends when the answers under way are sent. */
  | { readonly kind: 'leaving' }
  /** The worker ends after this. */
  | { readonly kind: 'cannot start'; readonly reason: string }
  | { readonly kind: 'connection taken'; readonly connection: number }
  /** The reply has the same number. */
  | { readonly kind: 'metrics wanted'; readonly question: number };

export type ToWorker =
  /** Finish what is under way, and end. */
  | { readonly kind: 'stop' }
  /** Comes with the socket, of which nothing has been read. */
  | { readonly kind: 'connection'; readonly connection: number }
  /** How the last ticks ended, for `/health`. */
  | { readonly kind: 'timers'; readonly timers: readonly TimerState[] }
  /** The metrics of all workers and of the primary; undefined when a worker did not tell its own in time. */
  | { readonly kind: 'metrics'; readonly question: number; readonly text: string | undefined };

/** What came on connections that were taken just before the end is read in this time. */
const GRACE_MS = 100;

class RequestWorker {
  private readonly service: Service;
  private readonly server: ConnectionServer;
  private readonly metricsWanted = new Map<number, (text: string | undefined) => void>();
  private questions = 0;
  private isLeaving = false;

  constructor(settings: Settings) {
    this.service = { ...createLocalService(settings), collectMetrics: () => this.collectMetrics() };
    this.server = startConnectionServer(httpFunctions, this.service, settings.workers);
    // The library tells the metrics to the primary process, when that collects those of all, from here on.
    AggregatorRegistry.setRegistries(this.service.metrics.registry);
    new AggregatorRegistry();
    process.on('message', (message: ToWorker, socket: Socket | undefined) => {
      this.receive(message, socket);
    });
  }

  async stop(): Promise<void> {
    this.isLeaving = true;
    await tell({ kind: 'leaving' });
    await sleep(GRACE_MS);
    await this.server.stop();
    await closeService(this.service);
  }

  private receive(message: ToWorker, socket: Socket | undefined): void {
    switch (message.kind) {
      case 'stop':
        process.emit('SIGTERM');
        break;
      case 'connection':
        this.takeConnection(message.connection, socket);
        break;
      case 'timers':
        this.service.health.timers.replace(message.timers);
        break;
      case 'metrics':
        this.metricsWanted.get(message.question)?.(message.text);
        this.metricsWanted.delete(message.question);
        break;
    }
  }

  /** The primary gives a connection that is not taken to another worker. */
  private takeConnection(connection: number, socket: Socket | undefined): void {
    if (this.isLeaving) {
      socket?.destroy();
      return;
    }
    void tell({ kind: 'connection taken', connection });
    // The socket of a client that has gone meanwhile may not come.
    if (socket !== undefined) this.server.take(socket);
  }

  private async collectMetrics(): Promise<string> {
    const question = ++this.questions;
    const text = await new Promise<string | undefined>((resolve) => {
      this.metricsWanted.set(question, resolve);
      void tell({ kind: 'metrics wanted', question });
    });
    if (text === undefined) throw new Error('a process did not tell its metrics in time');
    return text;
  }
}

/** Resolves when the message is on its way. */
function tell(message: ToPrimary): Promise<unknown> {
  return new Promise((resolve) => process.send?.(message, undefined, undefined, resolve));
}

void runMain(async () => {
  const stopped = new Promise<void>((resolve) => {
    process.once('SIGTERM', resolve);
  });
  // Ctrl-C goes to all processes of a terminal, and the primary passes it on.
  process.on('SIGINT', () => undefined);
  try {
    const worker = new RequestWorker(commandSettings());
    await tell({ kind: 'ready' });
    await stopped;
    await worker.stop();
  } catch (error) {
    await tell({ kind: 'cannot start', reason: error instanceof Error ? error.message : String(error) });
  }
  // node:cluster ends the process with its channel to the primary, also when that is gone.
  process.disconnect();
  return 0;
});
