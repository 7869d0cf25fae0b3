// Queries over a release that cannot be read (ADR 0050).

import { checkHealth } from '../../shared/http/operating/health';
import { ageRelease, damageRelease, releaseDamages } from '../fixtures/changed-releases';
import { paths } from '../fixtures/handmade';
import { aggregatedSubmission, siteAmountsSubmission } from '../fixtures/submission';
import { withOrganization } from '../fixtures/submission-changes';
import { createServiceMaker, type TestService } from '../fixtures/test-service';

const newService = createServiceMaker();
const damages = [
  'has lost its records',
  'has records that are cut off',
  'is not a database',
  'has a changed digit in its records',
  'is missing',
] as const;

/** A service whose data of ORG_1 are damaged, while the data of ORG_2 and of another data set are intact. */
async function damagedService(damage: keyof typeof releaseDamages): Promise<TestService> {
  const whole = newService();
  const loaded = await whole.load(siteAmountsSubmission);
  await whole.load(withOrganization('ORG_2', siteAmountsSubmission));
  await whole.load(aggregatedSubmission);
  await whole.close();
  damageRelease(whole.folder, loaded, releaseDamages[damage]);
  return newService(whole.folder);
}

async function expectNamed(service: TestService, path: string): Promise<void> {
  const logged: string[] = [];
  const careful = { ...service.service, logError: (message: string) => void logged.push(message) };
  const { status, headers, json } = await service.getFrom(careful, path);
  expect(logged).toEqual([expect.stringMatching(/^request .* failed$/)]);
  expect([status, json.title, headers['Retry-After']]).toEqual([503, 'Data not readable', '60']);
  expect(json.detail).toContain('data of ORG_1 SiteVariableAmounts cannot be read');
}

describe.each(damages)('a release that %s', (damage) => {
  let service: TestService;

  beforeAll(async () => {
    service = await damagedService(damage);
  });

  test('causes a 503 that identifies it, for queries that would read it', async () => {
    await expectNamed(service, paths.site);
    await expectNamed(service, `${paths.site}?OrganizationUUID=ORG_1`);
  });

  test('does not affect queries that do not read it', async () => {
    const other = await service.get(`${paths.site}?OrganizationUUID=ORG_2`);
    expect([other.status, other.json.TotalSiteVariableAmountsCount]).toEqual([200, 6]);
    expect((await service.get('/v1/AggregatedAmounts')).status).toBe(200);
    expect((await service.get(`${paths.site}?OrganizationUUID=ORG_2&VariableCV=Nothing`)).status).toBe(200);
    expect((await service.get('/')).status).toBe(200);
  });
});

test('a release in another format version causes a 503 that identifies it', async () => {
  const service = newService();
  await service.load(siteAmountsSubmission);
  await ageRelease(service);
  await expectNamed(service, paths.site);
});

test('/health reports damage inside a release before a query reads it, and facets never lack values', async () => {
  for (const damage of ['has a changed digit in its records', 'has overwritten bytes in its index'] as const) {
    const whole = newService();
    const loaded = await whole.load(siteAmountsSubmission);
    const expected = await whole.get(`${paths.site}/Facets?Facet=VariableCV`);
    await whole.close();
    damageRelease(whole.folder, loaded, releaseDamages[damage]);
    const service = newService(whole.folder);
    const careful = { ...service.service, logError: () => undefined };
    const health = await checkHealth(careful);
    expect(health).toMatchObject({ kind: 'not ready', unreadable: [{ entry: { organizationUuid: 'ORG_1' } }] });
    const { status, text } = await service.getFrom(careful, `${paths.site}/Facets?Facet=VariableCV`);
    if (status !== 503) expect(text).toBe(expected.text);
  }
});
