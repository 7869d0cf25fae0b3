// Download files in a container of the emulator: the same answers as from the local disk, except that clients are
// redirected to a signed URL.

import { createHash } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { tidyUp } from '../../data-loaders/intake/tidy-up';
import { withdraw } from '../../data-loaders/manage-releases';
import { copyFiles } from '../../data-loaders/publish/copy-files';
import { makeMissingFiles } from '../../data-loaders/publish/make-files';
import { SILENT } from '../../data-loaders/stage/progress';
import { readExportsContainer } from '../../shared/settings';
import { BlobDownloads } from '../../shared/store/blob-downloads';
import type { DownloadFiles } from '../../shared/store/download-files';
import type { Azurite, TestContainer } from '../fixtures/azurite';
import { startBreakingProxy } from '../fixtures/loopback-server';
import { siteAmountsSubmission } from '../fixtures/submission';
import { type Answer, createServiceMaker, TEST_NOW, type TestService } from '../fixtures/test-service';

const LIST = '/v1/Downloads';
const NAME = { organizationUuid: 'ORG_1', dataSet: 'SiteVariableAmounts' } as const;

/** The emulator checks the expiry of signed URLs by its own clock, so this is the real time. */
const clock = (): Date => new Date();

export function describeBlobDownloads(startedAzurite: () => Azurite): void {
  describe('files of releases in a container', () => {
    const newService = createServiceMaker();
    let container: TestContainer;
    let service: TestService;
    let files: BlobDownloads;

    beforeEach(async () => {
      container = await startedAzurite().createContainer();
      service = newService();
      files = downloadsIn(container.connection);
      await service.load(siteAmountsSubmission);
    });

    function downloadsIn(connection: string, now = clock): BlobDownloads {
      const read = readExportsContainer(connection);
      if (!read.ok || read.value === undefined) throw new Error('not a container');
      return new BlobDownloads(read.value, { stagingDirectory: join(service.folder, 'staging'), now });
    }

    async function make(place: DownloadFiles): Promise<void> {
      await makeMissingFiles({ store: service.store, files: place, progress: SILENT, shouldStop: () => false });
    }

    function ask(path: string, downloads: DownloadFiles = files, key = service.key): Promise<Answer> {
      return service.getFrom({ ...service.service, downloads }, path, { 'x-api-key': key });
    }

    async function firstPath(): Promise<string> {
      return (await ask(LIST)).json.Downloads[0].Files[0].Path;
    }

    async function tidyUpTwice(): Promise<void> {
      const now = (): Date => new Date(TEST_NOW.getTime() + 90 * 86_400_000);
      const { store } = service;
      const input = { store, files, stagingDirectory: join(service.folder, 'staging'), retentionDays: 30, now };
      await tidyUp({ ...input, log: () => undefined });
      await tidyUp({ ...input, log: () => undefined });
    }

    test('are listed as on disk, and can be read at a signed URL without the key, including ranges', async () => {
      expect((await ask(LIST)).json.Downloads).toMatchObject([{ Pending: true, Files: [] }]);
      await make(files);
      await make(service.service.downloads);
      const { json } = await ask(LIST);
      expect(json).toEqual((await ask(LIST, service.service.downloads)).json);
      for (const { Path, Bytes, SHA256, MediaType } of json.Downloads[0].Files) {
        const { status, headers, bytes } = await ask(Path);
        expect([status, bytes.length, headers['Cache-Control']]).toEqual([302, 0, 'no-store']);
        const url = headers['Location'] ?? '';
        expect(url).not.toContain(service.key);
        const got = await fetch(url);
        const content = Buffer.from(await got.arrayBuffer());
        expect([got.status, content.length, createHash('sha256').update(content).digest('hex')]).toEqual([
          200,
          Bytes,
          SHA256,
        ]);
        expect(got.headers.get('content-type')).toBe(MediaType);
        const [, release = '', name = ''] = /([0-9a-f]{8})[0-9a-f]*\/([^/]+)$/.exec(Path) ?? [];
        const savedName = `office-of-water-amounts-at-sites-${release}-${name}`;
        expect(got.headers.get('content-disposition')).toBe(`attachment; filename="${savedName}"`);
        const caching = Path.endsWith('things.jsonl.gz') ? /^public, no-cache$/ : /^private, immutable/;
        expect(got.headers.get('cache-control')).toMatch(caching);
        const part = await fetch(url, { headers: { range: 'bytes=5-9' } });
        expect([part.status, Buffer.from(await part.arrayBuffer()).equals(content.subarray(5, 10))]).toEqual([
          206,
          true,
        ]);
      }
    });

    test('need a key, and are a 304 if cached, a 404 until they are made and a 410 once their release is deleted', async () => {
      const { releaseId = '' } = (await service.store.currentState()).entries[0] ?? {};
      const path = `${LIST}/${releaseId}/records.parquet`;
      expect(await ask(path)).toMatchObject({ status: 404, json: { title: 'File not made yet' } });
      await make(files);
      expect((await ask(path, files, 'wrong')).status).toBe(401);
      const { SHA256 } = (await ask(LIST)).json.Downloads[0].Files[0];
      const known = { 'x-api-key': service.key, 'if-none-match': `"${SHA256}"` };
      expect((await service.getFrom({ ...service.service, downloads: files }, path, known)).status).toBe(304);
      await withdraw(service.store, NAME, TEST_NOW.toISOString());
      expect((await ask(path)).status).toBe(302);
      await tidyUpTwice();
      expect(await files.list()).toEqual([]);
      expect((await ask(path)).status).toBe(410);
    });

    test('have URLs that are valid for minutes and only for reading', async () => {
      await make(files);
      const path = await firstPath();
      const url = (await ask(path)).headers['Location'] ?? '';
      const minutes = (Date.parse(new URL(url).searchParams.get('se') ?? '') - Date.now()) / 60_000;
      expect(minutes).toBeGreaterThan(5);
      expect(minutes).toBeLessThanOrEqual(15);
      expect((await fetch(url, { method: 'DELETE' })).status).toBe(403);
      expect((await fetch(url.replace('records.parquet', 'places.parquet'))).status).toBe(403);
      const hourAgo = downloadsIn(container.connection, () => new Date(Date.now() - 3_600_000));
      expect((await fetch((await ask(path, hourAgo)).headers['Location'] ?? '')).status).toBe(403);
    });

    test('appear completely or not at all if the connection breaks at any request', async () => {
      let failures = 0;
      let first: Date | undefined;
      for (let requests = 1; ; requests++) {
        const proxy = await startBreakingProxy(startedAzurite().port, requests);
        const broken = downloadsIn(container.connection.replace(/:\d+\//, `:${proxy.port}/`));
        const done = await make(broken).then(
          () => true,
          () => false,
        );
        await proxy.stop();
        const listed = (await ask(LIST)).json.Downloads[0];
        expect(listed.Pending).toBe(!done);
        expect(readdirSync(join(service.folder, 'staging')).filter((name) => /^\d/.test(name))).toEqual([]);
        const blob = container.client.getBlobClient(`${listed.Release}/records.parquet`);
        const modified = (await blob.exists()) ? (await blob.getProperties()).lastModified : undefined;
        expect(modified?.getTime()).toBe((first ?? modified)?.getTime());
        first ??= modified;
        if (done) break;
        failures++;
      }
      expect(failures).toBeGreaterThan(5);
      await make(service.service.downloads);
      expect((await ask(LIST)).json).toEqual((await ask(LIST, service.service.downloads)).json);
    });

    test('are copied from the disk to the container and back', async () => {
      const local = service.service.downloads;
      await make(local);
      const { entries } = await service.store.currentState();
      expect(await copyFiles(local, files, entries)).toBe(1);
      expect(await copyFiles(local, files, entries)).toBe(0);
      const { releaseId = '' } = entries[0] ?? {};
      expect(await files.find(releaseId)).toEqual(await local.find(releaseId));
      await local.remove(releaseId);
      expect(await copyFiles(files, local, entries)).toBe(1);
      expect(await files.find(releaseId)).toEqual(await local.find(releaseId));
    });

    test('are a 503 while the storage refuses requests, which is logged', async () => {
      const proxy = await startBreakingProxy(startedAzurite().port, 0);
      const downloads = downloadsIn(container.connection.replace(/:\d+\//, `:${proxy.port}/`));
      const logged: string[] = [];
      const logError = (message: string, error: unknown): void => void logged.push(`${message} ${String(error)}`);
      const broken = { ...service.service, downloads, logError };
      expect((await service.getFrom(broken, LIST)).status).toBe(503);
      expect(logged).toEqual([expect.stringContaining('EXPORTS_CONTAINER cannot be read')]);
      await proxy.stop();
    });
  });
}
