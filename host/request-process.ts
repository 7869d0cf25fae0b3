// A process that answers requests if WORKERS is above 1 (ADR 0056). It is a node:cluster worker that listens on the
// port itself and gets a share of the service's memory and limits.

import { AggregatorRegistry } from 'prom-client';
import { httpFunctions } from '../functions/http-functions';
import { closeService } from '../shared/http/make-service';
import type { TimerState } from '../shared/http/operating/health';
import type { Service } from '../shared/http/pipeline/service';
import type { Settings } from '../shared/settings';
import { commandSettings, runMain } from '../tools/command';
import { createLocalService } from './local-service';
import { startServer } from './server';

export type ToPrimary =
  | { readonly kind: 'ready'; readonly port: number }
  /** The worker ends after this message. */
  | { readonly kind: 'cannot start'; readonly reason: string }
  /** The reply contains the same number. */
  | { readonly kind: 'metrics requested'; readonly requestNumber: number };

export type ToWorker =
  /** The process must finish the responses in progress and then exit. */
  | { readonly kind: 'stop' }
  /** The outcomes of the last timer runs, for `/health`. */
  | { readonly kind: 'timers'; readonly timers: readonly TimerState[] }
  /**
   * The metrics of all workers and of the primary process; undefined if a worker did not report its metrics in time.
   */
  | { readonly kind: 'metrics'; readonly requestNumber: number; readonly text: string | undefined };

/** After the port is closed, requests that arrive on open connections are still read for this long. */
const GRACE_MS = 500;

/** The service of this process, connected to the primary process. */
class WorkerService {
  readonly service: Service;
  private readonly metricsRequests = new Map<number, (text: string | undefined) => void>();
  private lastRequestNumber = 0;

  constructor(settings: Settings) {
    this.service = { ...createLocalService(settings), collectMetrics: () => this.collectMetrics() };
    // Makes prom-client report this process's metrics when the primary process collects the metrics of all processes.
    AggregatorRegistry.setRegistries(this.service.metrics.registry);
    new AggregatorRegistry();
    process.on('message', (message: ToWorker) => {
      this.receive(message);
    });
  }

  private receive(message: ToWorker): void {
    switch (message.kind) {
      case 'stop':
        process.emit('SIGTERM');
        break;
      case 'timers':
        this.service.health.timers.replace(message.timers);
        break;
      case 'metrics':
        this.metricsRequests.get(message.requestNumber)?.(message.text);
        this.metricsRequests.delete(message.requestNumber);
        break;
    }
  }

  private async collectMetrics(): Promise<string> {
    this.lastRequestNumber++;
    const requestNumber = this.lastRequestNumber;
    const text = await new Promise<string | undefined>((resolve) => {
      this.metricsRequests.set(requestNumber, resolve);
      void tell({ kind: 'metrics requested', requestNumber });
    });
    if (text === undefined) throw new Error('a process did not report its metrics in time');
    return text;
  }
}

/** Resolves when the message has been sent. */
function tell(message: ToPrimary): Promise<unknown> {
  return new Promise((resolve) => process.send?.(message, undefined, undefined, resolve));
}

void runMain(async () => {
  const stopped = new Promise<void>((resolve) => {
    process.on('SIGTERM', () => {
      resolve();
    });
  });
  // Ctrl-C in a terminal reaches all processes. The primary process passes it on.
  process.on('SIGINT', () => undefined);
  try {
    const settings = commandSettings();
    const { service } = new WorkerService(settings);
    const options = { processes: settings.workers, graceMs: GRACE_MS };
    const server = await startServer(httpFunctions, service, settings, options);
    await tell({ kind: 'ready', port: server.port });
    await stopped;
    await server.stop();
    await closeService(service);
  } catch (error) {
    await tell({ kind: 'cannot start', reason: error instanceof Error ? error.message : String(error) });
  }
  // node:cluster ends the process when its channel to the primary closes, even if the primary is already gone.
  process.disconnect();
  return 0;
});
