// Random requests with broken parameters: never a 500, always JSON (D31). A seed makes failures
// repeatable.

import fc from 'fast-check';
import { anyText } from '../fixtures/any-text';
import { paths } from '../fixtures/handmade';
import { soakCases } from '../fixtures/soak';
import { aggregatedSubmission, allocationsSubmission, siteAmountsSubmission } from '../fixtures/submission';
import { createTestService } from '../fixtures/test-service';

const service = createTestService();

beforeAll(async () => {
  await service.load({ ...siteAmountsSubmission, ...allocationsSubmission });
  await service.load(aggregatedSubmission);
});

afterAll(() => service.close());

const NAMES = `SiteUUID SiteTypeCV VariableCV VariableSpecificCV BeneficialUseCV USGSCategoryNameCV StartDate EndDate
  SearchBoundary SearchGeometry HUC8 HUC12 County State StartIndex RecordCount DataVersion key ReportingUnitUUID
  ReportingUnitTypeCV StartPriorityDate EndPriorityDate __proto__ constructor toString hasOwnProperty`.split(/\s+/);

const NASTY_VALUES = [
  '%00', '%', '%zz', '%E9', '%ED%A0%80', '%F4%90%80%80', '+', '&', '=', '#', '?', '..%2F', '%0D%0ASet-Cookie:%20a=b',
  '-1', '1e309', '0x10', 'NaN', 'Infinity', '9007199254740992', '9'.repeat(400), '1.5', '%D9%A1%D9%A2',
  '0000-00-00', '9999-12-31', '2020-02-30', '99/99/9999', '1/1/1', '2020-01-01T25:61', '2020-01-01T00:00+99:99',
  '__proto__', 'constructor', '%27%20OR%201=1--', '%22', '%5C', '%EF%BF%BF', '%F0%9F%92%A7', 'e%CC%81'.repeat(50),
  'POINT(', 'POINT(1e999%201)', 'POLYGON((0%200,1%201,0%200,0%200))', 'POINT(-111.5%2040.5)', 'SRID=1;POINT(0%200)',
  '['.repeat(2000), '%7B%22a%22:'.repeat(500), '('.repeat(5000), 'POLYGON'.repeat(300), 'x'.repeat(20_000),
  '%7B%22type%22:%22Polygon%22,%22coordinates%22:' + '['.repeat(3000),
  '%7B%22type%22:%22Feature%22,%22geometry%22:null%7D', '%7B%22__proto__%22:%7B%22type%22:%22Point%22%7D%7D',
  '%7B%22type%22:%22Point%22,%22coordinates%22:[1,2]%7D',
]; // prettier-ignore

const name = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom(...NAMES) },
  { weight: 1, arbitrary: fc.constantFrom(...NASTY_VALUES) },
  { weight: 1, arbitrary: anyText({ maxLength: 12 }).map(encodeURIComponent) },
);

const value = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...NASTY_VALUES) },
  { weight: 2, arbitrary: anyText({ maxLength: 40 }).map(encodeURIComponent) },
  { weight: 1, arbitrary: anyText({ maxLength: 20 }) },
  { weight: 1, arbitrary: fc.json({ maxDepth: 8 }).map(encodeURIComponent) },
  { weight: 1, arbitrary: fc.integer().map(String) },
  { weight: 1, arbitrary: fc.constantFrom('UT', 'S1', 'Cache', '2001-01-01', '16010202', '') },
);

const item = fc
  .tuple(name, value, fc.constantFrom(1, 1, 1, 1, 2, 101))
  .map(([key, text, times]) =>
    Array.from({ length: text.length > 1_000 ? 1 : times }, () => `${key}=${text}`).join('&'),
  );

const request = fc.record({
  path: fc.constantFrom(...Object.values(paths)),
  query: fc.array(item, { maxLength: 5 }).map((items) => items.join('&')),
  hasKey: fc.constantFrom(true, true, true, true, false),
});

test('broken parameters are answered with 200, 400 or 401 and JSON, never with a 500', async () => {
  const seen = new Map<number, number>();
  await fc.assert(
    fc.asyncProperty(request, async ({ path, query, hasKey }) => {
      const { status, json } = await service.get(`${path}?${query}`, hasKey ? { 'x-api-key': service.key } : {});
      seen.set(status, (seen.get(status) ?? 0) + 1);
      expect([200, 400, 401]).toContain(status);
      expect(typeof json).toBe('object');
      if (status === 400) expect(json.errors.length).toBeGreaterThan(0);
    }),
    { numRuns: soakCases(2_000, 0.3), seed: 20_260_102 },
  );
  // The requests reach all three.
  expect([...seen.keys()].sort()).toEqual([200, 400, 401]);
});
