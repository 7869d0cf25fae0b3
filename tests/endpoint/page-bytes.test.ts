// A page that would take too many bytes is refused before it is made, and the refusal says how many records fit (ADR
// 0054); so is one for which other answers leave no memory.

import { BytesInFlight } from '../../shared/http/pipeline/admission';
import type { Service } from '../../shared/http/pipeline/service';
import { aggregatedAmount, lookupsOf, paths } from '../fixtures/handmade';
import type { Row } from '../fixtures/submission';
import { loadedService, type Answer } from '../fixtures/test-service';

const UNITS = 40;
const KILOBYTE = 1024;

/** Small bounds stand for the large ones: pages of forty polygons of two to six kilobytes are over them. */
const PAGE_BYTES = { json: 150 * KILOBYTE, csv: 60 * KILOBYTE, geojson: 60 * KILOBYTE };

const formats = ['json', 'csv', 'geojson'] as const;

const service = loadedService(submission());

function submission(): Record<string, Row[]> {
  const units = Array.from({ length: UNITS }, (_, unit) => ({
    ...{ ReportingUnitUUID: `RU${unit}`, ReportingUnitName: `Unit ${unit}`, StateCV: 'UT' },
    Geometry: polygonOf(30 + (unit % 5) * 20),
  }));
  // Every third amount is in a unit that has one already.
  const amounts = Array.from({ length: UNITS * 2 }, (_, amount) =>
    aggregatedAmount({ ReportingUnitUUID: `RU${Math.floor(amount / 2)}`, Amount: amount, ReportYearCV: 2000 + amount }),
  );
  return { ...lookupsOf(), 'reportingunits.csv': units, 'aggregatedamounts.csv': amounts };
}

function polygonOf(corners: number): string {
  const points = Array.from({ length: corners }, (_, corner) => {
    const angle = (2 * Math.PI * corner) / corners;
    return `${(-111 + Math.cos(angle)).toFixed(12)} ${(40 + Math.sin(angle)).toFixed(12)}`;
  });
  return `POLYGON((${[...points, points[0]].join(',')}))`;
}

function ask(query: string, own: Partial<Service> = {}): Promise<Answer> {
  const asked = { ...service.service, pageBytes: PAGE_BYTES, ...own };
  return service.ask(asked, `${paths.aggregated}?${query}`);
}

/** The number of records that a refusal says fit. */
async function fittingOf(query: string): Promise<number> {
  const { status, json } = await ask(query);
  expect([status, json.errors?.[0]?.parameter]).toEqual([400, 'RecordCount']);
  const [, fitting = ''] =
    /^(\d+) records fit: more from this StartIndex on needs over/.exec(json.errors[0].message) ?? [];
  return Number(fitting);
}

test.each(formats)('a page of %s that is too large is refused with the number of records that fit', async (format) => {
  for (const start of [0, 7, 20]) {
    const query = `format=${format}&StartIndex=${start}`;
    const fitting = await fittingOf(query);
    expect(fitting).toBeGreaterThan(1);
    const answer = await ask(`${query}&RecordCount=${fitting}`);
    expect([answer.status, answer.headers['X-Record-Count']]).toEqual([200, String(fitting)]);
    expect(await fittingOf(`${query}&RecordCount=${fitting + 1}`)).toBe(fitting);
  }
});

test('the bytes of a page of JSON are those of its records and, each once, of what they refer to', async () => {
  const fitting = await fittingOf('format=json');
  const [within, over] = await Promise.all(
    [fitting, fitting + 1].map(async (count) => {
      const { text } = await service.get(`${paths.aggregated}?RecordCount=${count}`);
      const [organization] = JSON.parse(text).Organizations;
      const lists = Object.values(organization).filter((list) => Array.isArray(list));
      return lists.flat().reduce((sum: number, item) => sum + Buffer.byteLength(JSON.stringify(item)) + 1, 0);
    }),
  );
  expect(within).toBeLessThanOrEqual(PAGE_BYTES.json);
  expect(over).toBeGreaterThan(PAGE_BYTES.json);
});

test.each(formats)('where not even one record fits %s, the refusal says so', async (format) => {
  const pageBytes = { json: 900, csv: 900, geojson: 900 };
  const { json } = await ask(`format=${format}`, { pageBytes });
  expect(json.errors[0]).toMatchObject({
    message: expect.stringMatching(/^no record fits: the first from this StartIndex on needs over 0 MB in /),
  });
});

test.each(formats)('a page of %s for which others leave no memory is a 503 before it is read', async (format) => {
  const bytesInFlight = new BytesInFlight(100 * KILOBYTE);
  const other = bytesInFlight.reserve();
  other.resize(90 * KILOBYTE);
  const query = `format=${format}&RecordCount=10`;
  const refused = await ask(query, { bytesInFlight });
  expect([refused.status, Number(refused.headers['Retry-After']) > 0]).toEqual([503, true]);
  other.release();
  expect(await ask(query, { bytesInFlight })).toMatchObject({ status: 200 });
  // Neither the refusal nor the answer keeps what it had reserved.
  const rest = bytesInFlight.reserve();
  other.resize(1);
  expect(rest.resize(100 * KILOBYTE - 1)).toBe(true);
});
