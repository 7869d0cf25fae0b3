// The thread that builds records, as it was compiled: what becomes of requests when it fails or is closed.

import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { RecordBuilderThread } from '../../data-loaders/build/builder-thread';
import type { PlaceBatch } from '../../data-loaders/build/place-builder';
import { type RecordBuilderInput, type RowBatch, joinedRows } from '../../data-loaders/build/record-builder';
import type { RecordLookups } from '../../data-loaders/build/release-json';
import { PROJECT } from '../fixtures/host-process';
import { temporaryFolder } from '../fixtures/temporary-folder';

const builderInput: Omit<RecordBuilderInput, 'folder'> = {
  dataSet: 'SiteVariableAmounts',
  statement: { contact: null, termsOfUse: null, license: null, citation: null },
  organization: {
    OrganizationUUID: 'O1',
    OrganizationName: 'Wasserb\u00fcro',
    OrganizationPurview: null,
    OrganizationWebsite: null,
    OrganizationPhoneNumber: null,
    OrganizationContactName: null,
    OrganizationContactEmail: null,
    OrganizationState: 'UT',
    State: 'Utah',
    OrganizationDataMappingURL: null,
  },
};

const variable = {
  ...{ VariableSpecificUUID: 'V1', VariableSpecificCV: 'Discharge, Daily', VariableCV: 'Discharge' },
  ...{ AggregationStatisticCV: null, AggregationInterval: null, AggregationIntervalUnitCV: null },
  ...{ ReportYearStartMonth: null, ReportYearTypeCV: null, AmountUnitCV: 'CFS', MaximumAmountUnitCV: null },
};

const lookups: RecordLookups = { variable, waterSource: undefined };

/** A batch of sites about which nothing but their types is known. */
function siteBatch(ids: readonly string[]): PlaceBatch {
  const rows = ids.map((id) => ({
    row: Buffer.from(JSON.stringify([id, null, null, null, `Stream of ${id}`, ...NOTHING, []])),
  }));
  const relations = [{ index: 0, pods: [{ site: 'S9', start: '2001-01-01', end: '' }], pous: [] }];
  return { rows: joinedRows(rows), relations, newSources: [] };
}

/** The columns of sites.csv from Longitude to PODorPOUSite. */
const NOTHING = Array.from({ length: 17 }, () => null);

/** A row in the order of the columns, with uses as its last cell. */
function stagedAmount(site: string, amount: number): Buffer {
  const uses = ['Irrigation', 'Stock, \u6c34'];
  return Buffer.from(JSON.stringify([site, 'O1', 'V1', null, 'M1', '2001-01-01', '2001-12-31', amount, '2001', uses]));
}

const folder = temporaryFolder();
let files = 0;

const PROGRAM = join(PROJECT, 'dist/data-loaders/build/record-thread.js');
const MANY_ROWS = 60_000;

function batch(first: number, rows: number): RowBatch {
  const numbers = Array.from({ length: rows }, (_, index) => first + index);
  const staged = numbers.map((number) => stagedAmount(`S${number % 2}`, number / 8));
  return {
    rows: joinedRows(staged.map((row) => ({ row }))),
    lookups: [lookups],
    lookupsOfRows: new Uint32Array(rows),
    places: Uint32Array.from(numbers, (number) => number % 2),
    placeEnds: Uint32Array.from(numbers.keys(), (index) => index + 1),
  };
}

function input() {
  const own = join(folder, String(files++));
  mkdirSync(own);
  return { ...builderInput, folder: own };
}

const threads: RecordBuilderThread[] = [];

function startThread(): RecordBuilderThread {
  const thread = new RecordBuilderThread(PROGRAM, input());
  threads.push(thread);
  return thread;
}

afterAll(async () => {
  for (const thread of threads) await thread.close();
});

test('a failure in the thread fails the request and every later one', async () => {
  const thread = startThread();
  await thread.buildPlaces(siteBatch(['S0', 'S1']));
  const broken = { ...batch(0, 2), lookups: [] };
  expect((await thread.build(batch(0, 2))).texts).toBeDefined();
  const settled = await Promise.allSettled([thread.build(broken), thread.build(batch(0, 2))]);
  expect(settled.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  const reason = 'a row came without its lookups';
  const failure = { message: expect.stringContaining(reason) as unknown, cause: { message: reason } };
  await expect(thread.finish(Buffer.of())).rejects.toMatchObject(failure);
});

test('closing a thread leaves no request pending', async () => {
  const thread = startThread();
  const requested = Promise.allSettled([thread.build(batch(0, MANY_ROWS))]);
  await thread.close();
  expect(await requested).toMatchObject([{ status: 'rejected' }]);
});
