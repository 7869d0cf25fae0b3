// Download files under kills and broken connections: the program that makes them is killed at any moment, and transfers
// are cut and resumed. No client ever receives a wrong file.

import type { ChildProcess } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readdirSync, writeFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { join } from 'node:path';
import fc from 'fast-check';
import { httpFunctions } from '../../functions/http-functions';
import { type RunningServer, startServer } from '../../host/server';
import { BytesInFlight } from '../../shared/http/pipeline/bytes-in-flight';
import { DOWNLOAD_NAMES, type DownloadFile } from '../../shared/store/download-files';
import { killUnderWay, openResponse, runProgram, sendRequest, startProgram } from '../fixtures/host-process';
import { createManyAmounts, createNoise } from '../fixtures/many-amounts';
import { chooseSeed, countCases } from '../fixtures/soak';
import { createTestService } from '../fixtures/test-service';

const ROUNDS = countCases(50, 0.03);
const CUTS = countCases(20, 0.2);
const SEED = chooseSeed(20_250_103);
const MS_PER_ROUND = 20_000;

/** Far more than the buffers of a connection hold. */
const FILE_BYTES = 12_000_000;

const service = createTestService();
const data = join(service.folder, 'data');
const { downloads } = service.service;
let releaseId: string;

beforeAll(async () => {
  await service.load(createManyAmounts(1, 20));
  releaseId = (await service.store.currentState()).entries[0]?.releaseId ?? '';
});

interface Download {
  readonly Pending: boolean;
  readonly Files: readonly { readonly Path: string; readonly SHA256: string }[];
}

/** The digests in the list, after each file was compared with its own digest. Undefined while the files are pending. */
async function digestsSeen(): Promise<readonly string[] | undefined> {
  const [{ Pending, Files }] = (await service.get('/v1/Downloads')).json.Downloads as readonly [Download];
  for (const { Path, SHA256 } of Files) {
    const { bytes } = await service.get(Path);
    expect(createHash('sha256').update(bytes).digest('hex')).toBe(SHA256);
  }
  expect(Files).toHaveLength(Pending ? 0 : DOWNLOAD_NAMES.length);
  return Pending ? undefined : Files.map(({ SHA256 }) => SHA256);
}

test(
  'a killed program leaves only complete download files, and the next run makes the missing ones',
  async () => {
    const settings = { WATER_DATA_DIR: data };
    const start = performance.now();
    expect(await runProgram('releases', ['files'], settings)).toMatchObject({ code: 0 });
    const duration = performance.now() - start;
    const whole = await digestsSeen();
    expect(whole).toBeDefined();
    const makeFiles = (): ChildProcess => startProgram('releases', ['files'], settings);
    for (const share of fc.sample(fc.integer({ min: 20, max: 105 }), { seed: SEED, numRuns: ROUNDS })) {
      await downloads.remove(releaseId);
      await killUnderWay(makeFiles, (duration * share) / 100, () => downloads.remove(releaseId));
      expect([undefined, whole]).toContainEqual(await digestsSeen());
      if ((await digestsSeen()) === undefined) await runProgram('releases', ['files'], settings);
      expect(await digestsSeen()).toEqual(whole);
    }
    await downloads.removeUnfinished();
    expect(readdirSync(join(data, 'downloads'))).toEqual([releaseId]);
  },
  (ROUNDS + 1) * MS_PER_ROUND,
);

describe('a transfer', () => {
  let server: RunningServer;
  let path: string;
  let sha256: string;

  /** Random bytes stand in for a large file; the content does not matter. */
  beforeAll(async () => {
    const content = createNoise(FILE_BYTES);
    sha256 = createHash('sha256').update(content).digest('hex');
    const file: DownloadFile = { name: 'records.parquet', bytes: content.length, sha256 };
    await downloads.remove(releaseId);
    await downloads.make(releaseId, (folder) => {
      writeFileSync(join(folder, file.name), content);
      return Promise.resolve([file]);
    });
    path = `/v1/Downloads/${releaseId}/records.parquet`;
    const bounded = { ...service.service, bytesInFlight: new BytesInFlight(2_400_000) };
    server = await startServer(httpFunctions, bounded, { host: '127.0.0.1', port: 0 });
  });

  afterAll(() => server.stop());

  function open(headers: Readonly<Record<string, string>> = {}): Promise<IncomingMessage> {
    return openResponse({ port: server.port, path, headers: { 'x-api-key': service.key, ...headers } });
  }

  test('that is cut repeatedly and resumed with Range ends with the correct bytes', async () => {
    const cuts = fc.sample(fc.integer({ min: 1, max: Math.floor((1.8 * FILE_BYTES) / CUTS) }), {
      seed: SEED,
      numRuns: CUTS,
    });
    const digest = createHash('sha256');
    let received = 0;
    for (const bytes of [...cuts, Infinity]) {
      const answer = await open(received === 0 ? {} : { range: `bytes=${received}-`, 'if-range': `"${sha256}"` });
      expect(answer.statusCode).toBe(received === 0 ? 200 : 206);
      let left = bytes;
      for await (const piece of answer as AsyncIterable<Buffer>) {
        const taken = piece.subarray(0, left);
        digest.update(taken);
        received += taken.length;
        left -= taken.length;
        // Leaving the loop cuts the connection.
        if (left <= 0) break;
      }
      if (received === FILE_BYTES) break;
    }
    expect([received, digest.digest('hex')]).toEqual([FILE_BYTES, sha256]);
  });

  test('counts only its bytes in memory against the limit, until the client has disconnected', async () => {
    const readers = [await open(), await open()];
    expect(readers.map(({ statusCode }) => statusCode)).toEqual([200, 200]);
    expect((await sendRequest(server.port, path, { 'x-api-key': service.key })).status).toBe(503);
    const small = await sendRequest(server.port, '/v1/SiteVariableAmounts?RecordCount=1', { 'x-api-key': service.key });
    expect(small.status).toBe(200);
    for (const reader of readers) reader.destroy();
    let status = 503;
    // The server notices this soon, but not immediately.
    while (status === 503) status = (await sendRequest(server.port, path, { 'x-api-key': service.key }, 'GET')).status;
    expect(status).toBe(200);
  });
});
