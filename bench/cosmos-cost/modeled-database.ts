// The service on a modeled container: loads with the real loader, answers with the real handlers, and returns the cost
// of each.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { HttpRequest } from '@azure/functions';
import { folderFiles } from '../../data-loaders/format/submitted-files';
import { loadSubmission } from '../../data-loaders/load-submission';
import { SILENT } from '../../data-loaders/stage/progress';
import { httpFunctions } from '../../functions/http-functions';
import { createRequestHandler } from '../../host/request-handler';
import { AccessControl } from '../../shared/access/access-control';
import { makeKey } from '../../shared/access/access-keys';
import { UsageCounter } from '../../shared/access/key-usage';
import { RateLimits } from '../../shared/access/rate-limits';
import { createService } from '../../shared/http/make-service';
import { type Service } from '../../shared/http/pipeline/service';
import type { Operation } from '../../shared/query/operations';
import { splitQuery } from '../../shared/query/query-string';
import { readRequest } from '../../shared/query/read-request';
import { openEntry } from '../../shared/search/index/open-release';
import { openReleases } from '../../shared/search/open-releases';
import { planPage } from '../../shared/search/plan-page';
import { readSettings } from '../../shared/settings';
import { openCosmosStore } from '../../shared/store/cosmos/cosmos-store';
import type { ReleaseReader, Store } from '../../shared/store/port';
import { overview, sizeTable } from '../../tools/azure-check/request-units';
import { ModeledContainer } from './modeled-container';

/** The number of requests, and their request units by both price lists. */
export interface Cost {
  readonly requests: number;
  readonly overview: number;
  readonly sizeTable: number;
}

const UNLIMITED = { requestsPerMinute: 1e12, recordsPerMinute: 1e12 };

const handleRequest = createRequestHandler(httpFunctions);

export class ModeledDatabase {
  readonly container = new ModeledContainer([overview, sizeTable]);
  private readonly folder = mkdtempSync(join(tmpdir(), 'cosmos-cost-'));

  /** Returns the number of published records. */
  async load(folder: string): Promise<number> {
    const { store } = this.instance();
    const report = await loadSubmission({
      files: folderFiles(folder),
      store,
      stagingDirectory: join(this.folder, 'staging'),
      rejectedShareLimit: 1,
      isDryRun: false,
      isSample: false,
      progress: SILENT,
      now: () => new Date(),
    });
    if (report.verdict !== 'published') throw new Error(report.sentence);
    return report.dataSets.reduce((sum, { records }) => sum + records, 0);
  }

  /** A new instance of the service, with empty caches. */
  instance(): Instance {
    const location = { endpoint: 'http://127.0.0.1/', database: 'model', key: undefined };
    const store = openCosmosStore(location, {
      stagingDirectory: join(this.folder, 'staging'),
      now: () => new Date(),
      connect: () => Promise.resolve(this.container.connection()),
    });
    return new Instance(store);
  }

  async measureCost(act: () => Promise<unknown>): Promise<Cost> {
    const { container } = this;
    const before = { ...container.spent };
    const requests = container.requests;
    await act();
    const countSpent = (name: string): number => (container.spent[name] ?? 0) - (before[name] ?? 0);
    return {
      requests: container.requests - requests,
      overview: countSpent(overview.name),
      sizeTable: countSpent(sizeTable.name),
    };
  }

  close(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}

export class Instance {
  readonly service: Service;
  private readonly key = makeKey('cost model', new Date().toISOString(), null).key;

  constructor(readonly store: Store) {
    const logError = (message: string, error: unknown): never => {
      throw new Error(message, { cause: error });
    };
    // No answer cache, so that each request is priced.
    const environment = { SEARCH_CACHE_MB: '512', ANSWER_CACHE_MB: '0', REQUEST_DEADLINE_SECONDS: '3600' };
    const parts = { store, developmentKey: this.key, now: () => new Date(), logError };
    this.service = {
      ...createService(readSettings(environment, tmpdir()), parts),
      access: new AccessControl(
        store.keys,
        new RateLimits(UNLIMITED),
        new UsageCounter(() => Promise.resolve(), logError),
      ),
    };
  }

  /**
   * Sends a request for `path`, such as `/v1/...`, with the development key, whose check costs no request units.
   * Returns the total.
   */
  async ask(path: string, key: string = this.key): Promise<number> {
    const request = new HttpRequest({ method: 'GET', url: `http://localhost${path}`, headers: { 'x-api-key': key } });
    const { status, body } = await handleRequest(request, this.service);
    const text = body instanceof Uint8Array ? Buffer.from(body).toString() : '';
    if (status !== 200) throw new Error(`${path} was answered ${status}: ${text}`);
    return Number(/^\{"\w+":(\d+)/.exec(text)?.[1]);
  }

  /** Opens the only release. */
  async reader(): Promise<ReleaseReader> {
    const [entry] = (await this.store.currentState()).entries;
    if (entry === undefined) throw new Error('nothing was loaded');
    return openEntry(this.store, entry);
  }

  /** The record numbers of the first 1,000 records that an operation returns. */
  async numbers(operation: Operation, filter: string): Promise<Uint32Array> {
    const { store, readingSettings: reading } = this.service;
    const read = readRequest(operation.parameters, splitQuery(filter), reading);
    if (!read.ok) throw new Error(`${filter} is refused`);
    const { condition, recordCount, startIndex } = read.query;
    const releases = await openReleases(this.service, await store.currentState(), operation.dataSet, condition);
    const page = await planPage(releases, condition, { startIndex, recordCount });
    return page.slices[0]?.numbers ?? new Uint32Array();
  }
}
