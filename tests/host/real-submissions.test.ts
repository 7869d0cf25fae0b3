// The real submissions of four states, loaded by the command and queried over HTTP, compared with a plain scan of
// files.

import { join } from 'node:path';
import type { Report } from '../../data-loaders/format/report';
import { DATA_SET_KINDS } from '../../shared/records/data-sets';
import { listRecords } from '../fixtures/handmade';
import {
  readIssuedKey,
  type RunningHost,
  runProgram,
  sendRequest,
  startHost,
  type WireAnswer,
} from '../fixtures/host-process';
import { makeKeyOfAnswer } from '../fixtures/plain-records';
import { matchesPlainly, writePath } from '../fixtures/plain-search';
import { createQueries } from '../fixtures/queries-about';
import { readRealRecords, type RealSubmission, realSubmissions, WHOLE_DATA } from '../fixtures/real-submissions';
import { expectSameInAllFormats } from '../fixtures/same-in-all-formats';
import { countCases, isSoak } from '../fixtures/soak';
import { createTemporaryFolder } from '../fixtures/temporary-folder';

/** The maximum number of records that are compared in all formats. */
const COMPARED = countCases(10_000, 0.05);

const PUBLIC_URL = 'https://water.example.org';

const settings = { WATER_DATA_DIR: join(createTemporaryFolder(), 'data') };

interface Loaded {
  readonly code: number | null;
  readonly report: Report;
}

async function load({ folder }: RealSubmission): Promise<Loaded> {
  const { code, output } = await runProgram('load', [join(WHOLE_DATA, folder), '--json'], settings);
  return { code, report: JSON.parse(output) as Report };
}

describe('the real submissions', () => {
  const first: Loaded[] = [];
  let host: RunningHost;
  let key = '';

  beforeAll(async () => {
    for (const submission of realSubmissions) first.push(await load(submission));
    key = readIssuedKey(await runProgram('keys', ['issue', '--owner', 'Tests'], settings));
    host = await startHost({ ...settings, PUBLIC_URL });
  });

  afterAll(async () => {
    await host.stop();
  });

  test.each(realSubmissions.map((submission, index) => ({ ...submission, index })))(
    '$folder is published with the expected counts',
    ({ index, kind, read, rejected }) => {
      expect(first[index]).toMatchObject({ code: 0, report: { verdict: 'published' } });
      const counted = first[index]?.report.files.find(
        ({ file }) => file.endsWith('amounts.csv') || file.startsWith('waterall'),
      );
      expect(counted).toMatchObject({ read, accepted: read - rejected, rejected });
      expect(first[index]?.report.dataSets).toMatchObject([{ dataSet: kind, records: read - rejected }]);
    },
  );

  test.each(DATA_SET_KINDS)('queries of %s find the records that a plain scan of its files finds', async (kind) => {
    const records = readRealRecords(kind, WHOLE_DATA);
    const queries = createQueries(kind, records);
    expect(queries.length).toBeGreaterThan(20);
    for (const query of queries.filter((_, index) => isSoak || index % 4 === 0)) {
      const expected = records.filter((record) => matchesPlainly(record, query)).map(({ key }) => key);
      const path = writePath(kind, query, 'RecordCount=10000');
      const { status, text } = await sendRequest(host.port, path, { 'x-api-key': key });
      const json = JSON.parse(text);
      expect({ path, status, total: json[`Total${kind}Count`] }).toEqual({ path, status: 200, total: expected.length });
      const keys = listRecords({ json }, kind).map((record) => makeKeyOfAnswer(kind, record));
      expect(keys.sort()).toEqual(expected.sort());
    }
  });

  test.each(DATA_SET_KINDS)(
    '%s as CSV and as GeoJSON, read back, equals the JSON answer record by record',
    async (kind) => {
      const get = (path: string): Promise<WireAnswer> => sendRequest(host.port, path, { 'x-api-key': key });
      const path = writePath(kind, {}, `RecordCount=${COMPARED}`);
      const count = await expectSameInAllFormats(get, kind, path);
      expect(count).toBe(Math.min(COMPARED, readRealRecords(kind, WHOLE_DATA).length));
    },
  );
});
