// What queries answer while the release of one data set cannot be read (ADR 0050).

import { ageRelease, damageRelease, releaseDamages } from '../fixtures/changed-releases';
import { serviceMaker, type TestService } from '../fixtures/test-service';
import { aggregatedSubmission, siteAmountsSubmission } from '../fixtures/submission';
import { ofOrganization } from '../fixtures/submission-changes';

const newService = serviceMaker();

const PATH = '/v1/SiteVariableAmounts';

const damages = ['has lost its records', 'has records cut short', 'is no database', 'is gone'] as const;

/** A service on data of ORG_1 that were damaged, and on whole data of ORG_2 and of another data set. */
async function damagedService(damage: keyof typeof releaseDamages): Promise<TestService> {
  const whole = newService();
  const loaded = await whole.load(siteAmountsSubmission);
  await whole.load(ofOrganization('ORG_2', siteAmountsSubmission));
  await whole.load(aggregatedSubmission);
  await whole.close();
  damageRelease(whole.folder, loaded, releaseDamages[damage]);
  return newService(whole.folder);
}

async function expectNamed(service: TestService, path: string): Promise<void> {
  const logged: string[] = [];
  const careful = { ...service.service, logError: (message: string) => void logged.push(message) };
  const { status, headers, json } = await service.ask(careful, path);
  expect(logged).toEqual([expect.stringMatching(/^request .* failed$/)]);
  expect([status, json.title, headers['Retry-After']]).toEqual([503, 'Data not readable', '60']);
  expect(json.detail).toContain('Data of ORG_1 SiteVariableAmounts cannot be read');
}

describe.each(damages)('a release that %s', (damage) => {
  let service: TestService;

  beforeAll(async () => {
    service = await damagedService(damage);
  });

  test('queries that would read it are a 503 that names it', async () => {
    await expectNamed(service, PATH);
    await expectNamed(service, `${PATH}?OrganizationUUID=ORG_1`);
  });

  test('queries that do not read it are answered', async () => {
    const other = await service.get(`${PATH}?OrganizationUUID=ORG_2`);
    expect([other.status, other.json.TotalSiteVariableAmountsCount]).toEqual([200, 6]);
    expect((await service.get('/v1/AggregatedAmounts')).status).toBe(200);
    expect((await service.get(`${PATH}?OrganizationUUID=ORG_2&VariableCV=Nothing`)).status).toBe(200);
    expect((await service.get('/')).status).toBe(200);
  });
});

test('a release of another format is a 503 that names it', async () => {
  const service = newService();
  await service.load(siteAmountsSubmission);
  await ageRelease(service);
  await expectNamed(service, PATH);
});
