// CSV and GeoJSON say what JSON says, record by record, over random small submissions and queries (seeded; ADR 0033).

import fc from 'fast-check';
import { DATA_SET_KINDS } from '../../shared/records/data-sets';
import { pathOf } from '../fixtures/plain-search';
import { randomQuery, randomSubmission } from '../fixtures/random-submission';
import { expectSameInAllFormats } from '../fixtures/same-in-all-formats';
import { createTestService } from '../fixtures/test-service';
import { soakCases } from '../fixtures/soak';

const SEED = 20_251_121;

const service = createTestService();

test('CSV and GeoJSON read back are the JSON answer, for any query and page', async () => {
  let records = 0;
  for (const submission of fc.sample(randomSubmission, { seed: SEED, numRuns: soakCases(10, 0.3) })) {
    await service.load(submission);
    for (const kind of DATA_SET_KINDS) {
      for (const query of [{}, ...fc.sample(randomQuery(kind), { seed: SEED, numRuns: 6 })]) {
        for (const page of ['RecordCount=10000', 'RecordCount=7&StartIndex=3']) {
          records += await expectSameInAllFormats(service.get, kind, pathOf(kind, query, page));
        }
      }
    }
  }
  expect(records).toBeGreaterThan(500);
});
