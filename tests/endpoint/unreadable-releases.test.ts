// What queries answer while the release of one data set cannot be read (ADR 0050).

import { mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ageRelease } from '../fixtures/aged-release';
import { aggregatedSubmission, siteAmountsSubmission, type Submission } from '../fixtures/submission';
import { temporaryFolder } from '../fixtures/temporary-folder';
import { createTestService, type TestService } from '../fixtures/test-service';

const folder = temporaryFolder();

const PATH = '/v1/SiteVariableAmounts';

/** The same data of another organization. */
function ofOrganization(uuid: string, submission: Submission): Submission {
  const text = JSON.stringify(submission).replaceAll('ORG_1', uuid);
  return JSON.parse(text) as Submission; // As it was, but for the names.
}

type Damage = (release: string) => void;

const damages: readonly (readonly [string, Damage])[] = [
  [
    'has lost its records',
    (release) => {
      rmSync(`${release}.blocks`);
    },
  ],
  [
    'has records cut short',
    (release) => {
      truncateSync(`${release}.blocks`, 10);
    },
  ],
  [
    'is no database',
    (release) => {
      writeFileSync(release, 'something else entirely');
    },
  ],
  [
    'is gone',
    (release) => {
      rmSync(release);
    },
  ],
];

/** A service on data of ORG_1 that were damaged, and on whole data of ORG_2 and of another data set. */
async function damagedService(damage: Damage): Promise<TestService> {
  const whole = createTestService('MDY', mkdtempSync(join(folder, 'damaged-')));
  const { dataSets } = await whole.load(siteAmountsSubmission);
  await whole.load(ofOrganization('ORG_2', siteAmountsSubmission));
  await whole.load(aggregatedSubmission);
  await whole.close();
  damage(join(whole.folder, 'data', 'releases', `${dataSets[0]?.releaseId ?? ''}.sqlite`));
  return createTestService('MDY', whole.folder);
}

async function expectNamed(service: TestService, path: string): Promise<void> {
  const logged: string[] = [];
  const careful = { ...service.service, logError: (message: string) => void logged.push(message) };
  const { status, headers, json } = await service.ask(careful, path, { 'x-api-key': service.key });
  expect(logged).toEqual([expect.stringMatching(/^request .* failed$/)]);
  expect([status, json.title, headers['Retry-After']]).toEqual([503, 'Data not readable', '60']);
  expect(json.detail).toContain('Data of ORG_1 SiteVariableAmounts cannot be read');
}

describe.each(damages)('a release that %s', (_, damage) => {
  let service: TestService;

  beforeAll(async () => {
    service = await damagedService(damage);
  });

  afterAll(() => service.close());

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
  const service = createTestService('MDY', mkdtempSync(join(folder, 'aged-')));
  await service.load(siteAmountsSubmission);
  await ageRelease(service);
  await expectNamed(service, PATH);
  await service.close();
});
