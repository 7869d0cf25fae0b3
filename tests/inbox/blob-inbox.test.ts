// What lies in containers, against azurite: the contract of inboxes, cases that only a container can meet, and files of
// releases.

import { openInbox } from '../../data-loaders/intake/inbox';
import { readInboxLocation, type InboxLocation } from '../../shared/loader-settings';
import { startAzurite, type Azurite } from '../fixtures/azurite';
import { startBreakingProxy } from '../fixtures/breaking-proxy';
import { containerPlace, filesOf } from '../fixtures/inbox-places';
import { isSoak } from '../fixtures/soak';
import { temporaryFolder } from '../fixtures/temporary-folder';
import { describeBlobDownloads } from './blob-downloads-cases';
import { describeInboxContract } from './inbox-contract';
import { LEASE_MS, type TestInbox } from './inbox-of-test';

const folder = temporaryFolder();
const now = (): Date => new Date('2026-01-02T03:04:05Z');

let azurite: Azurite;

beforeAll(async () => {
  azurite = await startAzurite();
});

afterAll(() => azurite.stop());

function locationOf(text: string): InboxLocation {
  const read = readInboxLocation(text, '/');
  if (!read.ok || read.value.kind === 'folder') throw new Error('not a container');
  return read.value;
}

async function createInbox(): Promise<TestInbox> {
  const container = await azurite.createContainer();
  const place = containerPlace(container);
  const open = (clock: () => Date, quietMs = 0, port?: number): ReturnType<typeof openInbox> =>
    openInbox(locationOf(container.url(port)), { now: clock, leaseMs: LEASE_MS }, quietMs);
  return {
    open,
    openBreaking: async (clock, operations) => {
      const proxy = await startBreakingProxy(azurite.port, operations);
      return { inbox: await open(clock, 0, proxy.port), heal: proxy.stop };
    },
    put: place.put,
    clear: async (path) => {
      for await (const { name } of container.client.listBlobsFlat({ prefix: `${path}/` })) {
        await container.client.deleteBlob(name);
      }
    },
    files: () => filesOf(place),
  };
}

// A settlement of a blob inbox has some seventy operations, each with several requests.
const strides = isSoak ? { move: 1, followedMove: 3 } : { move: 4, followedMove: 12 };
describeInboxContract('the blob inbox', createInbox, folder, strides);

describeBlobDownloads(() => azurite, folder);

test('opens with a connection string that names the container', async () => {
  const container = await azurite.createContainer();
  await containerPlace(container).put('waiting/one/READY', '');
  const inbox = await openInbox(locationOf(container.connection), { now, leaseMs: LEASE_MS });
  expect(await inbox.waiting()).toEqual(['one']);
});

test.each(['a\\..\\b.csv', 'a//b.csv'])('the name "%s" is not fetched', async (name) => {
  const container = await azurite.createContainer();
  await containerPlace(container).put('waiting/one/READY', '');
  await containerPlace(container).put(`waiting/one/${name}`, 'x');
  const inbox = await openInbox(locationOf(container.url()), { now, leaseMs: LEASE_MS });
  const claim = await inbox.claim('one');
  expect(await claim?.fetch(folder)).toEqual({ ok: false, problem: expect.stringContaining('leads out') });
});

test('blobs that stand for folders are not files of a submission', async () => {
  const container = await azurite.createContainer();
  await containerPlace(container).put('waiting/one/READY', '');
  await containerPlace(container).put('waiting/one/deeper/', '');
  const folderBlob = container.client.getBlockBlobClient('waiting/one/other');
  await folderBlob.upload('', 0, { metadata: { hdi_isfolder: 'true' } });
  await containerPlace(container).put('waiting/one/other/file.csv', 'x');
  const inbox = await openInbox(locationOf(container.url()), { now, leaseMs: LEASE_MS });
  const fetched = await (await inbox.claim('one'))?.fetch(`${folder}/folders`);
  expect(fetched).toMatchObject({ ok: true });
});
