// Loading truncates texts to 10,000 characters, with a warning, so that the time for folding and comparing them is
// bounded. Geometries are not truncated.

import { type Row, siteAmountsSubmission } from '../fixtures/submission';
import { withCells } from '../fixtures/submission-changes';
import { createServiceForEachTest } from '../fixtures/test-service';

const getService = createServiceForEachTest();

async function loadSite(cells: Row): Promise<{ readonly rules: readonly string[]; readonly site: Row }> {
  const { load, get } = getService();
  const report = await load(withCells(siteAmountsSubmission, 'sites.csv', 0, cells));
  expect(report).toMatchObject({ verdict: 'published' });
  const rules = report.findings.map(({ rule, column }) => `${rule} ${String(column)}`);
  const { json } = await get('/v1/Sites?RecordCount=1');
  return { rules: rules.filter((rule) => rule.startsWith('long-text')), site: json.Organizations[0].Sites[0] };
}

test.each([
  ['x', 10_000, 10_000],
  ['x', 300_000, 10_000],
  ['\u0301', 300_000, 10_000],
  // Half a surrogate pair would not be a character.
  ['aaa💧💧', 5_000, 9_999],
] as const)('%j %d times in a cell leaves %d characters', async (text, count, length) => {
  const { rules, site } = await loadSite({ SiteName: text.repeat(count), County: text.repeat(count) });
  expect(String(site['SiteName'])).toHaveLength(length);
  expect(String(site['County'])).toHaveLength(length);
  const isCut = text.length * count > 10_000;
  expect(rules).toEqual(isCut ? ['long-text SiteName', 'long-text County'] : []);
});

test('an identifier is cut wherever it occurs', async () => {
  const { load, get } = getService();
  const id = 'S'.repeat(20_000);
  const text = JSON.stringify(siteAmountsSubmission).replaceAll('"S1"', JSON.stringify(id));
  const report = await load(JSON.parse(text) as typeof siteAmountsSubmission);
  expect(report).toMatchObject({ verdict: 'published' });
  const { json } = await get(`/v1/SiteVariableAmounts?SiteUUID=${id.slice(0, 10_000)}`);
  expect(json.TotalSiteVariableAmountsCount).toBe(3);
});

test('the items of a list are cut, but not the list', async () => {
  const { load } = getService();
  const uses = (item: string): Row => ({ BeneficialUseCategory: `Irrigation,${item}` });
  const long = await load(withCells(siteAmountsSubmission, 'sitespecificamounts.csv', 0, uses('y'.repeat(10_001))));
  expect(long.findings.map(({ rule }) => rule)).toContain('long-text');
  const many = Array.from({ length: 3000 }, (_, index) => `use${index}`).join(',');
  const short = await load(withCells(siteAmountsSubmission, 'sitespecificamounts.csv', 0, uses(many)));
  expect(short.findings.map(({ rule }) => rule)).not.toContain('long-text');
});

test('a geometry is never cut', async () => {
  const corners = Array.from({ length: 2000 }, (_, index) => `${-112 + index / 4000} 41`).join(', ');
  const { rules } = await loadSite({ Geometry: `POLYGON ((-112 40, ${corners}, -112 40))` });
  expect(rules).toEqual([]);
});
