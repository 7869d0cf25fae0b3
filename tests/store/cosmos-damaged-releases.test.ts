// Releases on Cosmos DB that lost documents or have another format: what queries, health, loads, rebuilds and rollbacks
// make of them (ADR 0050), as the tests beside say of the embedded store.

import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { entriesToRebuild, rebuild, rollBack } from '../../data-loaders/manage-releases';
import { SILENT } from '../../data-loaders/stage/progress';
import { makeCatalogState, type DataSetName } from '../../shared/store/catalog-types';
import { connect, type CosmosContainer, type CosmosLocation } from '../../shared/store/cosmos/connect';
import { openCosmosStore } from '../../shared/store/cosmos/cosmos-store';
import { REGISTRY, type CosmosDocument, type ReleaseDocument } from '../../shared/store/cosmos/documents';
import { FORMAT_VERSION, type Store } from '../../shared/store/port';
import { checkFormats } from '../../shared/store/readable-releases';
import { digestNameOf } from '../../shared/values/digest';
import { startCosmosEmulator } from '../fixtures/cosmos-emulator';
import { serverOfTests } from '../fixtures/loopback-server';
import { manyAmounts } from '../fixtures/many-amounts';
import { aggregatedSubmission, siteAmountsSubmission } from '../fixtures/submission';
import { withCells } from '../fixtures/submission-changes';
import { temporaryFolder } from '../fixtures/temporary-folder';
import { createTestService, TEST_NOW, type TestService } from '../fixtures/test-service';

const PATH = '/v1/SiteVariableAmounts';
const FILE = 'sitespecificamounts.csv';
const NAME: DataSetName = { organizationUuid: 'ORG_1', dataSet: 'SiteVariableAmounts' };
const AT = '2026-02-03T04:05:06.000Z';

const folder = temporaryFolder();
const emulator = serverOfTests(startCosmosEmulator);
let location: CosmosLocation;
let service: TestService;
/** Another process on the same container. */
let other: TestService;

beforeEach(() => {
  location = emulator().newLocation();
  [service, other] = [serviceOn(openStore()), serviceOn(openStore())];
});

afterEach(async () => {
  await service.close();
  await other.close();
});

function openStore(): Store {
  return openCosmosStore(location, { stagingDirectory: join(folder, 'staging'), now: () => TEST_NOW });
}

function serviceOn(store: Store): TestService {
  return createTestService('MDY', mkdtempSync(join(folder, 'service-')), store);
}

async function inContainer<Value>(act: (container: CosmosContainer) => Promise<Value>): Promise<Value> {
  const { container, close } = await connect(emulator().behind(location));
  try {
    return await act(container);
  } finally {
    close();
  }
}

function documentsOf(family: string): Promise<readonly CosmosDocument[]> {
  return inContainer(async (container) => {
    const { resources } = await container.items.readAll<CosmosDocument>().fetchAll();
    return resources.filter(
      ({ partition }) => partition.includes(`/SiteVariableAmounts/`) && partition.includes(family),
    );
  });
}

/** Removes one document of the release of site amounts: the first one of its family. */
async function loseDocument(family: string): Promise<void> {
  const lost = (await documentsOf(`/${family}/`)).find(({ id }) => id === '0');
  if (lost === undefined) throw new Error(`no document of ${family}`);
  await inContainer((container) => container.item(lost.id, lost.partition).delete());
}

/** Makes the only release look as the program of the former format left it. */
async function ageRelease(): Promise<void> {
  const state = await service.store.currentState();
  const [entry] = state.entries;
  if (entry === undefined) throw new Error('nothing is published');
  const releaseId = digestNameOf(`${entry.releaseId} in an older format`);
  await inContainer(async (container) => {
    const item = container.item(entry.releaseId, REGISTRY);
    const { resource } = await item.read<ReleaseDocument>();
    if (resource === undefined) throw new Error('the release is not registered');
    const facts = { ...resource.facts, releaseId, formatVersion: FORMAT_VERSION - 1 };
    await container.items.create({ ...resource, id: releaseId, facts });
    await item.delete();
  });
  await service.store.publish(state.version, makeCatalogState([{ ...entry, releaseId }], state.since, 'load'));
}

async function expectUnreadable(asked: TestService): Promise<void> {
  const service = { ...asked.service, logError: () => undefined };
  const answer = await asked.ask(service, `${PATH}?RecordCount=1000`, { 'x-api-key': asked.key });
  expect([answer.status, answer.json.title]).toEqual([503, 'Data not readable']);
  expect(answer.json.detail).toContain('Data of ORG_1 SiteVariableAmounts cannot be read');
  const health = await asked.ask(service, '/health', {});
  expect([health.status, health.json.detail]).toEqual([
    503,
    expect.stringContaining('the release of ORG_1 SiteVariableAmounts is damaged'),
  ]);
}

const many = manyAmounts(20, 30);

describe.each(['records', 'lookups', 'pieces'])('a release that lost a document of its %s', (family) => {
  test('is made anew by a load of the same rows, and read elsewhere with the same bytes', async () => {
    const first = await service.load(many);
    const before = await service.get(`${PATH}?RecordCount=1000`);
    await loseDocument(family);
    // An answer without filters needs none of the pieces that come first.
    if (family !== 'pieces') await expectUnreadable(other);
    const second = await service.load(many);
    expect(second.dataSets).toMatchObject([{ outcome: 'published', releaseId: first.dataSets[0]?.releaseId }]);
    for (const asked of [service, other, serviceOn(openStore())]) {
      const { status, text } = await asked.get(`${PATH}?RecordCount=1000`);
      expect([status, text === before.text]).toEqual([200, true]);
    }
    const prefixes = (await documentsOf('/')).map(({ partition }) => partition.split('/')[2]);
    expect(new Set(prefixes).size).toBe(1);
    expect((await service.load(many)).dataSets).toMatchObject([{ outcome: 'unchanged' }]);
  });

  test('is not made current by a rollback', async () => {
    await service.load(many);
    await loseDocument(family);
    await service.load(withCells(many, FILE, 0, { Amount: '7' }));
    const done = await rollBack(other.store, NAME, AT);
    expect(done).toEqual({ ok: false, problem: expect.stringContaining('is damaged: documents of it are missing') });
  });
});

test('a rebuild makes anew what lost records, and leaves what is whole', async () => {
  await service.load(many);
  await service.load(aggregatedSubmission);
  const before = await service.get(`${PATH}?RecordCount=1000`);
  await loseDocument('records');
  const [entry, ...others] = await entriesToRebuild(other.store);
  if (entry === undefined) throw new Error('the release was not damaged');
  expect([entry.dataSet, others]).toEqual(['SiteVariableAmounts', []]);
  const stagingDirectory = join(folder, 'staging');
  const input = { store: other.store, stagingDirectory, progress: SILENT, now: () => TEST_NOW };
  expect(await rebuild({ ...input, entry })).toMatchObject({ verdict: 'published' });
  expect(await entriesToRebuild(other.store)).toEqual([]);
  expect((await service.get(`${PATH}?RecordCount=1000`)).text).toBe(before.text);
});

test('a release of another format stops the start with the one command, and is rebuilt', async () => {
  await service.load(siteAmountsSubmission);
  const before = await service.get(PATH);
  await ageRelease();
  await expect(checkFormats(other.store)).rejects.toThrow('npm run releases -- rebuild');
  const [entry] = await entriesToRebuild(other.store);
  if (entry === undefined) throw new Error('the release has this format');
  const input = {
    store: other.store,
    stagingDirectory: join(folder, 'staging'),
    progress: SILENT,
    now: () => TEST_NOW,
  };
  expect(await rebuild({ ...input, entry })).toMatchObject({ verdict: 'published' });
  expect(await checkFormats(other.store)).toEqual([]);
  expect((await service.get(PATH)).text).toBe(before.text);
  expect(await rollBack(other.store, NAME, AT)).toEqual({ ok: false, problem: expect.stringContaining('has format') });
});
