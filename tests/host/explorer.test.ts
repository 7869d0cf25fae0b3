// The explorer in a browser, as its visitors use it. No request may go to another host, the browser may report no
// error, and no address may hold a key. What the page shows is compared with what the service answers.
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { collectComplaints, describeInBrowser, launchBrowser } from '../fixtures/browser';
import { startHost, type RunningHost } from '../fixtures/host-process';
import { temporaryFolder } from '../fixtures/temporary-folder';

const folder = temporaryFolder();

describeInBrowser(() => {
  let host: RunningHost;
  let browser: Browser;
  let complaints: string[];

  beforeAll(async () => {
    host = await startHost({ WATER_DATA_DIR: join(folder, 'data') });
    browser = await launchBrowser();
  });

  afterAll(async () => {
    await browser.close();
    await host.stop();
  });

  beforeEach(() => {
    complaints = [];
  });

  const own = (): string => `http://127.0.0.1:${host.port}/`;

  async function openAt(query: string, options = {}): Promise<Page> {
    const page = await (await browser.newContext(options)).newPage();
    collectComplaints(page, own(), complaints);
    await page.goto(`${own()}explore${query}`);
    await page.getByRole('status').filter({ hasText: /\d/ }).waitFor();
    return page;
  }

  /** What the service answers to a program with a key. */
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- answers whose shape is what the test is about
  async function answer(path: string): Promise<any> {
    const response = await fetch(`${own()}${path}`, { headers: { 'X-API-Key': host.key ?? '' } });
    expect(response.status).toBe(200);
    return response.json();
  }

  const total = (page: Page): Promise<string> => page.getByRole('status').innerText();

  test('rights senior to 1890 in a county: the total and the first record are those of the service', async () => {
    const page = await openAt('?view=table');
    await page.getByRole('checkbox', { name: 'Elk Terrace' }).check();
    await page.getByLabel('Priority date to').fill('1889');
    await page.keyboard.press('Enter');
    await page.getByLabel('Order').selectOption({ label: 'Most senior first' });
    const expected = await answer(
      'v1/SiteAllocationAmounts?County=Elk+Terrace&EndPriorityDate=1889-12-31&OrderBy=AllocationPriorityDate',
    );
    await page
      .getByRole('status')
      .filter({ hasText: String(expected.TotalWaterAllocationsCount) })
      .waitFor();
    expect(await total(page)).toBe(`${expected.TotalWaterAllocationsCount} water rights`);
    const [first] = expected.Organizations[0].WaterAllocations;
    await page.getByRole('button', { name: first.AllocationNativeID, exact: true }).click();
    await page.getByRole('complementary', { name: 'Record 1' }).getByText(first.AllocationOwner).waitFor();
    expect(new URL(page.url()).search).toBe(
      '?view=table&order=AllocationPriorityDate&record=0&County=Elk+Terrace&EndPriorityDate=1889-12-31',
    );
    expect(complaints).toEqual([]);
  });

  test('a right is found on the map, and a box that is drawn there filters', async () => {
    const { Organizations } = await answer('v1/SiteAllocationAmounts?County=Elk+Terrace&RecordCount=1');
    const [right] = Organizations[0].WaterAllocations;
    const [site] = right.Sites;
    const page = await openAt(`?at=${site.Longitude},${site.Latitude},14`);
    const map = page.getByRole('region', { name: 'Map' });
    await page.getByRole('button', { name: 'Zoom in' }).waitFor();
    const box = await map.boundingBox();
    if (box === null) throw new Error('the map is not shown');
    const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
    await page.locator('.map[aria-busy="false"]').waitFor();
    await page.mouse.click(x, y);
    await page.getByRole('complementary', { name: 'Water right' }).getByText(site.SiteUUID).first().waitFor();
    await page.getByRole('button', { name: 'Close' }).click();
    await page.getByRole('button', { name: 'Box', exact: true }).click();
    await page.mouse.move(x - 40, y - 40);
    await page.mouse.down();
    await page.mouse.move(x + 40, y + 40, { steps: 3 });
    await page.mouse.up();
    await page.waitForURL(/SearchGeometry=bbox/);
    const drawn = new URL(page.url()).searchParams.get('SearchGeometry') ?? '';
    expect(drawn).toMatch(/^bbox:/);
    const within = await answer(`v1/SiteAllocationAmounts?SearchGeometry=${encodeURIComponent(drawn)}`);
    await page
      .getByRole('status')
      .filter({ hasText: new RegExp(`^${within.TotalWaterAllocationsCount} water right`) })
      .waitFor();
    expect(complaints).toEqual([]);
  });
});
