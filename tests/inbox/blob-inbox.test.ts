// The inbox and the download files in blob containers, on Azurite: the contract of inboxes, and cases that only apply
// to containers.

import { text } from 'node:stream/consumers';
import { openInbox } from '../../data-loaders/intake/inbox';
import { type InboxLocation, readInboxLocation } from '../../shared/settings';
import { startAzurite } from '../fixtures/azurite';
import { accessContainer, dropSubmission, readFiles } from '../fixtures/inbox-places';
import {
  type LoopbackServer,
  startBreakingProxy,
  startCuttingProxy,
  startServerForTests,
} from '../fixtures/loopback-server';
import { isSoak } from '../fixtures/soak';
import { createTemporaryFolder } from '../fixtures/temporary-folder';
import { describeBlobDownloads } from './blob-downloads-cases';
import { describeDesk } from './desk-contract';
import { describeInboxContract } from './inbox-contract';
import { LEASE_MS, type TestInbox } from './inbox-of-test';

const folder = createTemporaryFolder();
const now = (): Date => new Date('2026-01-02T03:04:05Z');

const proxies: LoopbackServer[] = [];

afterAll(() => Promise.all(proxies.map((proxy) => proxy.stop())));

const azurite = startServerForTests(startAzurite);

function readLocation(text: string): InboxLocation {
  const read = readInboxLocation(text, '/');
  if (!read.ok || read.value.kind === 'folder') throw new Error('not a container');
  return read.value;
}

async function createInbox(): Promise<TestInbox> {
  const container = await azurite().createContainer();
  const place = accessContainer(container);
  const open = (clock: () => Date, quietMs = 0, port?: number): ReturnType<typeof openInbox> =>
    openInbox(readLocation(container.url(port)), { now: clock, leaseMs: LEASE_MS }, quietMs);
  return {
    open,
    openBreaking: async (clock, operations) => {
      const proxy = await startBreakingProxy(azurite().port, operations);
      return { inbox: await open(clock, 0, proxy.port), heal: proxy.stop };
    },
    put: place.put,
    clear: async (path) => {
      await container.client.getBlobClient(path).deleteIfExists();
      for await (const { name } of container.client.listBlobsFlat({ prefix: `${path}/` })) {
        await container.client.deleteBlob(name);
      }
    },
    files: () => readFiles(place),
  };
}

// Settling a submission in a blob inbox takes about seventy operations, each with several requests.
const strides = isSoak ? { move: 1, followedMove: 3 } : { move: 12, followedMove: 36 };
describeInboxContract('the blob inbox', createInbox, folder, strides);

describeDesk('the desk of a blob inbox', async () => {
  const container = await azurite().createContainer();
  const location = readLocation(container.url());
  const openAt = (clock: () => Date): ReturnType<typeof openInbox> =>
    openInbox(location, { now: clock, leaseMs: LEASE_MS });
  return { location, access: accessContainer(container), openInbox: openAt };
});

describeBlobDownloads(azurite);

test('opens with a connection string that names the container', async () => {
  const container = await azurite().createContainer();
  await accessContainer(container).put('waiting/one/READY', '');
  const inbox = await openInbox(readLocation(container.connection), { now, leaseMs: LEASE_MS });
  expect(await inbox.listWaiting()).toEqual(['one']);
});

/** Claims a submission through a proxy that cuts each answer after `bytesOfAnswer`. Returns its sites.csv. */
async function claimedFile(content: string, bytesOfAnswer: number) {
  const container = await azurite().createContainer();
  const place = accessContainer(container);
  await dropSubmission(place, 'one', [['sites.csv', content]], {});
  const proxy = await startCuttingProxy(azurite().port, bytesOfAnswer);
  proxies.push(proxy);
  const inbox = await openInbox(readLocation(container.url(proxy.port)), { now, leaseMs: LEASE_MS });
  const claim = await inbox.claim('one');
  const files = await claim?.files();
  const file = files?.ok === true ? files.value.file('sites.csv') : undefined;
  if (claim === undefined || file === undefined) throw new Error('the submission cannot be read');
  return { place, claim, file };
}

/** More bytes than the buffers of the storage client and the system hold. */
const MANY_ROWS = Array.from({ length: 200_000 }, (_, row) => `${row},row`).join('\n');

test('reading a file resumes where a broken connection cut it off', async () => {
  const { file } = await claimedFile(MANY_ROWS, 700_000);
  const read = await text(file.bytes(10));
  expect(read).toHaveLength(MANY_ROWS.length - 10);
  expect(read === MANY_ROWS.slice(10)).toBe(true);
});

test('a file that is overwritten while it is read never yields a mix of two versions', async () => {
  const { place, claim, file } = await claimedFile(MANY_ROWS, 700_000);
  const pieces: Buffer[] = [];
  const reading = (async () => {
    for await (const piece of file.bytes(0)) {
      if (pieces.push(piece) === 1) await place.put('waiting/one/sites.csv', MANY_ROWS.replaceAll('row', 'now'));
    }
  })();
  await expect(reading).rejects.toMatchObject({ statusCode: 412 });
  expect(Buffer.concat(pieces).includes('now')).toBe(false);
  await expect(text(file.bytes(0))).rejects.toMatchObject({ statusCode: 412 });
  expect(await claim.isChanged()).toBe(true);
});

test('names that would escape from a folder are ordinary blob names', async () => {
  const container = await azurite().createContainer();
  for (const name of ['READY', 'a\\..\\b.csv', 'a//b.csv']) {
    await accessContainer(container).put(`waiting/one/${name}`, 'x');
  }
  const inbox = await openInbox(readLocation(container.url()), { now, leaseMs: LEASE_MS });
  const files = await (await inbox.claim('one'))?.files();
  expect(files?.ok === true && [...files.value.names()].sort()).toEqual(['READY', 'a']);
});

test('blobs that represent folders are not files of a submission', async () => {
  const container = await azurite().createContainer();
  await accessContainer(container).put('waiting/one/READY', '');
  await accessContainer(container).put('waiting/one/deeper/', '');
  const folderBlob = container.client.getBlockBlobClient('waiting/one/other');
  await folderBlob.upload('', 0, { metadata: { hdi_isfolder: 'true' } });
  await accessContainer(container).put('waiting/one/other/file.csv', 'x');
  const inbox = await openInbox(readLocation(container.url()), { now, leaseMs: LEASE_MS });
  const files = await (await inbox.claim('one'))?.files();
  expect(files?.ok === true && [...files.value.names()].sort()).toEqual(['READY', 'other']);
});
