// A place with very many positions is no boundary: indexing its edges would hold up all other requests (D15).

import { NAMED_BOUNDARY_POSITION_LIMIT } from '../../shared/values/boundary';
import { aggregatedAmount, lookupsOf, paths } from '../fixtures/handmade';
import { loadedService } from '../fixtures/test-service';

/** A ring of so many positions, the last of which is the first one. */
function ringOf(positions: number): string {
  const corner = (index: number): string => {
    const angle = (2 * Math.PI * (index % (positions - 1))) / (positions - 1);
    return `${(-110 + Math.cos(angle)).toFixed(9)} ${(40 + Math.sin(angle)).toFixed(9)}`;
  };
  return `POLYGON ((${Array.from({ length: positions }, (_, index) => corner(index)).join(', ')}))`;
}

const service = loadedService({
  ...lookupsOf({ OrganizationUUID: 'CO_1', State: 'CO' }),
  'reportingunits.csv': [
    { ReportingUnitUUID: 'Most', Geometry: ringOf(NAMED_BOUNDARY_POSITION_LIMIT) },
    { ReportingUnitUUID: 'More', Geometry: ringOf(NAMED_BOUNDARY_POSITION_LIMIT + 1) },
  ],
  'aggregatedamounts.csv': ['Most', 'More'].map((ReportingUnitUUID) =>
    aggregatedAmount({ OrganizationUUID: 'CO_1', ReportingUnitUUID }),
  ),
});

test('a place of as many positions as are allowed is a boundary', async () => {
  const { status } = await service.get(`${paths.aggregated}?SearchBoundary=reportingunit:Most`);
  expect(status).toBe(200);
});

test('a place of more positions is refused as a boundary, by its name', async () => {
  const { status, json } = await service.get(`${paths.aggregated}?SearchBoundary=reportingunit:More`);
  expect(status).toBe(400);
  expect(JSON.stringify(json)).toContain(`More has ${NAMED_BOUNDARY_POSITION_LIMIT + 1} positions`);
});
