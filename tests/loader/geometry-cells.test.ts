// Geometries of water sources and reporting units, in WKT or GeoJSON; those of sites are in site-cells.test.ts.

import type { Report } from '../../data-loaders/format/report';
import { aggregatedSubmission } from '../fixtures/submission';
import { withCells } from '../fixtures/submission-changes';
import { createTestService, type Answer } from '../fixtures/test-service';

const geoJson = JSON.stringify({
  type: 'MultiPolygon',
  coordinates: [[[[-112, 41, 9], [-111, 41, 9], [-111, 42, 9], [-112, 41, 9]]]], // prettier-ignore
});
const wkt = 'MULTIPOLYGON (((-112 41, -111 41, -111 42, -112 41)))';
const broken = 'POLYGON ((500000 41, 0 0, 1 1, 500000 41))';

const service = createTestService();

/** The findings but those on columns that the submission lacks, and what a query at a point in the unit answers. */
async function load(
  source: string,
  unit: string,
): Promise<{ readonly findings: Report['findings']; readonly answer: Answer['json'] }> {
  const withSource = withCells(aggregatedSubmission, 'watersources.csv', 0, { Geometry: source });
  const { findings } = await service.load(withCells(withSource, 'reportingunits.csv', 0, { Geometry: unit }));
  const boundary = encodeURIComponent('POINT (-111.1 41.5)');
  const { json: answer } = await service.get(`/v1/AggregatedAmounts?SearchBoundary=${boundary}`);
  return { findings: findings.filter(({ rule }) => rule !== 'absent-column'), answer };
}

test('geometries in GeoJSON are answered as WKT, and a reporting unit with one is found by a boundary', async () => {
  const { findings, answer } = await load(geoJson, geoJson);
  expect(findings).toEqual([]);
  expect(answer.Organizations[0].ReportingUnits[0]).toMatchObject({ ReportingUnitGeometry: wkt });
  expect(answer.Organizations[0].WaterSources[0]).toMatchObject({ WaterSourceGeometry: wkt });
});

test('a broken geometry of a water source stays as text, with a warning', async () => {
  const { findings, answer } = await load(broken, wkt);
  expect(findings).toMatchObject([
    { file: 'watersources.csv', line: 2, column: 'Geometry', rule: 'unusable-geometry' },
  ]);
  expect(answer.Organizations[0].WaterSources[0]).toMatchObject({ WaterSourceGeometry: broken });
});

test('decimal numbers are mended in identifiers, report years and AggregationInterval alone', async () => {
  const use = { BeneficialUseCategory: '12.0', ReportYearCV: '2020.0' };
  const variable = { AggregationInterval: '1.0', ReportYearStartMonth: '10.0' };
  const units = withCells(aggregatedSubmission, 'reportingunits.csv', 0, { EPSGCodeCV: '4326.0' });
  const amounts = withCells(units, 'aggregatedamounts.csv', 0, use);
  await service.load(withCells(amounts, 'variables.csv', 0, variable));
  const [organization] = (await service.get('/v1/AggregatedAmounts')).json.Organizations;
  expect(organization.VariableSpecifics[0]).toMatchObject({ AggregationInterval: '1', ReportYearStartMonth: '10' });
  expect(organization.ReportingUnits[0]).toMatchObject({ EPSGCodeCV: '4326.0' });
  expect(JSON.stringify(organization)).toContain('"12.0"');
  expect(JSON.stringify(organization)).toContain('"ReportYear":"2020"');
});
