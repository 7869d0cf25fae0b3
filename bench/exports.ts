// `npm run bench -- --exports`: measures the cost of making the files of a release, and of exporting everything over
// HTTP while another client sends small requests one after another.

import { rmSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { HttpClient } from './measure/http-client';
import { DOWNLOADS, makeFiles, openLoadedStore } from './measure/loading';
import {
  type Environment,
  readPrivateMegabytes,
  type StartedServer,
  startService,
  stopServer,
} from './measure/programs';
import { percentile } from './measure/quantiles';
import type { Table } from './report/table-text';

const SMALL_REQUESTS = 600;
const MEMORY_CHECK_MS = 100;

const ROUTES = { SiteVariableAmounts: 'SiteVariableAmounts', WaterAllocations: 'SiteAllocationAmounts' } as const;

interface ExportFigures {
  readonly seconds: number;
  readonly bytes: number;
  /** The maximum increase in the server's memory; NaN if the system does not report it. */
  readonly addedMegabytes: number;
  /** How long each of the small requests took that were sent during the export, in milliseconds. */
  readonly small: readonly number[];
}

export async function exportsTable(records: number, log: (line: string) => void): Promise<Table> {
  const rows: string[][] = [];
  for (const kind of ['SiteVariableAmounts', 'WaterAllocations'] as const) {
    const name = `exports-${kind}-${records}`;
    const store = await openLoadedStore({ name, records, kinds: [kind], log });
    const { environment, submissions } = store;
    const count = submissions[0]?.rows ?? NaN;
    log(`${count} ${kind}`);
    rmSync(join(environment['WATER_DATA_DIR'] ?? '', DOWNLOADS), { recursive: true, force: true });
    const files = await makeFiles(store, log);
    rows.push([
      `files of ${kind}`,
      formatRate(count, files.seconds),
      '',
      (files.peakMegabytes ?? NaN).toFixed(0),
      '',
      '',
    ]);
    rows.push(...(await exportRows(`/v1/${ROUTES[kind]}`, count, environment)));
  }
  return {
    title: `Files and exports of ${records} amounts, and of their share of rights`,
    columns: ['What is made', 'records/s', 'MB', 'memory, MB', 'small requests, p95 in ms', 'times alone'],
    rows,
    notes: [
      'Memory: of files the peak of the program that makes them; of an export what it adds to the server at most.',
    ],
  };
}

async function exportRows(path: string, count: number, environment: Environment): Promise<readonly string[][]> {
  const service = await startService(environment);
  const client = new HttpClient(service);
  const small = createSmallRequests(client, path);
  try {
    // Warms up the program.
    for (let count = 0; count < SMALL_REQUESTS; count++) await small();
    const alone: number[] = [];
    for (let count = 0; count < SMALL_REQUESTS; count++) alone.push(await small());
    const rows: string[][] = [];
    for (const format of ['parquet', 'csv.gz']) {
      const { seconds, bytes, ...figures } = await measureExport(`${path}/Export?format=${format}`, service, small);
      const p95 = percentile(figures.small, 0.95);
      const ratio = (p95 / percentile(alone, 0.95)).toFixed(1);
      const cells = [(bytes / 1e6).toFixed(1), figures.addedMegabytes.toFixed(0), p95.toFixed(1), ratio];
      rows.push([`export as ${format}`, formatRate(count, seconds), ...cells]);
    }
    return rows;
  } finally {
    client.close();
    await stopServer(service);
  }
}

/** Times the first request for a page. Resolves with the milliseconds. */
function createSmallRequests(client: HttpClient, path: string): () => Promise<number> {
  let next = 0;
  return async () => {
    const startIndex = 7 * next;
    next++;
    const { milliseconds } = await client.askExpecting(200, { path: `${path}?RecordCount=5&StartIndex=${startIndex}` });
    return milliseconds;
  };
}

async function measureExport(
  path: string,
  service: StartedServer,
  askSmall: () => Promise<number>,
): Promise<ExportFigures> {
  const memory = (): number => readPrivateMegabytes(service) ?? NaN;
  const before = memory();
  let maxMegabytes = before;
  const timer = setInterval(() => {
    maxMegabytes = Math.max(maxMegabytes, memory());
  }, MEMORY_CHECK_MS);
  const started = performance.now();
  const progress = { isDone: false };
  const received = receive(path, service).finally(() => {
    progress.isDone = true;
  });
  const small: number[] = [];
  while (!progress.isDone) small.push(await askSmall());
  clearInterval(timer);
  const { bytes, ended } = await received;
  return { seconds: (ended - started) / 1000, bytes, addedMegabytes: maxMegabytes - before, small };
}

/** Reads an answer and discards it. */
function receive(
  path: string,
  { origin, headers }: StartedServer,
): Promise<{ readonly bytes: number; readonly ended: number }> {
  return new Promise((resolve, reject) => {
    const outgoing = request(new URL(path, origin), { headers }, (answer) => {
      let bytes = 0;
      answer.on('data', (chunk: Buffer) => {
        bytes += chunk.length;
      });
      answer.on('error', reject);
      answer.on('end', () => {
        if (answer.statusCode === 200) resolve({ bytes, ended: performance.now() });
        else reject(new Error(`${path}: ${answer.statusCode ?? 0}`));
      });
    });
    outgoing.on('error', reject);
    outgoing.end();
  });
}

function formatRate(records: number, seconds: number): string {
  return Math.round(records / seconds).toLocaleString('en-US');
}
