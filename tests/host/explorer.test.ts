// The explorer in a browser, as its visitors use it. No request may go to another host, the browser may report no
// error, and no address may hold a key. What the page shows is compared with what the service answers.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { collectComplaints, describeInBrowser, launchBrowser, OTHER_NAME } from '../fixtures/browser';
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

  test('a chart has the sums of the service, and its file has them too', async () => {
    const page = await openAt('?kind=aggregates&view=chart&stack=BeneficialUseCV&State=NM');
    const { Totals } = await answer('v1/AggregatedAmounts/Totals?State=NM&GroupBy=Year&GroupBy=BeneficialUseCV');
    const first = Totals.find((row: { Year: string | null }) => row.Year !== null);
    await page.getByText('Figures as a table').click();
    await page.locator('.figures tbody th').first().waitFor();
    const cells = await page.locator('.figures tbody tr').first().locator('th, td').allInnerTexts();
    expect(cells[0]).toBe(first.Year);
    const unit = (await page.locator('.legend .unit').innerText()).trim();
    const shown = Totals.filter((row: { Year: string; AmountUnitCV: string }) => row.Year === first.Year);
    const sums = shown.map(({ Sum }: { Sum: number }) => Sum.toLocaleString('en-US'));
    expect(sums).toEqual(expect.arrayContaining(cells.slice(1).filter((cell) => cell !== '')));
    expect(unit).toBe(first.AmountUnitCV);
    const saved = page.waitForEvent('download');
    await page.getByRole('button', { name: 'CSV' }).click();
    const [head = '', row = ''] = readFileSync(await (await saved).path(), 'utf8').split('\n');
    expect(head).toMatch(/^Year,.*AF/);
    expect(row.split(',')[0]).toBe(first.Year);
    const picture = page.waitForEvent('download');
    await page.getByRole('button', { name: 'PNG' }).click();
    expect(
      readFileSync(await (await picture).path())
        .subarray(1, 4)
        .toString(),
    ).toBe('PNG');
    expect(complaints).toEqual([]);
  });

  test('what is filtered is taken along as CSV, Parquet and GeoJSON, each with every record', async () => {
    const page = await openAt('?open=take&view=table&State=CO&BeneficialUseCV=Irrigation');
    const count = Number.parseInt(await total(page), 10);
    const take = async (name: RegExp): Promise<Buffer> => {
      const saved = page.waitForEvent('download');
      await page.getByRole('complementary', { name: 'Take it' }).getByRole('button', { name }).click();
      return readFileSync(await (await saved).path());
    };
    const csv = await take(/^CSV/);
    expect(csv.toString().trimEnd().split('\r\n')).toHaveLength(count + 1);
    const parquet = await take(/^Parquet/);
    expect([parquet.subarray(0, 4), parquet.subarray(-4)].map(String)).toEqual(['PAR1', 'PAR1']);
    const { features } = JSON.parse(String(await take(/^GeoJSON/)));
    expect(features.length).toBeGreaterThanOrEqual(count);
    await page.getByText('Python', { exact: true }).click();
    const program = await page.getByLabel('Python', { exact: true }).innerText();
    expect(program).toContain('/v1/SiteAllocationAmounts/Export?State=CO&BeneficialUseCV=Irrigation&format=csv.gz');
    expect(program).not.toContain('wdk_');
    expect(complaints).toEqual([]);
  });

  test('two sites are compared by their water years, from the table on', async () => {
    const found = await answer('v1/SiteVariableAmounts?VariableCV=Discharge+Flow&RecordCount=10000');
    const [, { SiteUUID, SiteName }] = found.Organizations[0].Sites;
    const page = await openAt('?kind=series&view=table&VariableCV=Discharge+Flow');
    await page.locator('.rows tbody button').first().click();
    await page.getByRole('button', { name: 'As a line' }).click();
    await page.getByLabel('Water years laid over each other').check();
    await page.getByLabel('Add a site by its identifier').fill(SiteUUID);
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: `Remove site ${SiteName}` }).waitFor();
    await page.locator('.plot canvas').waitFor();
    expect(await page.locator('.legend li').count()).toBeGreaterThan(1);
    expect(new URL(page.url()).searchParams.getAll('site')).toHaveLength(2);
    expect(complaints).toEqual([]);
  });

  test('an address gives the same picture in a fresh profile, and back and forward go through it', async () => {
    const page = await openAt('?view=table');
    const before = await total(page);
    await page.getByRole('checkbox', { name: /^WY/ }).check();
    await page.getByRole('button', { name: 'Remove filter State: WY' }).waitFor();
    await page.getByRole('status').filter({ hasNotText: before }).waitFor();
    const filtered = await total(page);
    const shared = await openAt(new URL(page.url()).search);
    expect(await total(shared)).toBe(filtered);
    expect(await shared.getByRole('checkbox', { name: /^WY/ }).isChecked()).toBe(true);
    await page.goBack();
    await page.getByRole('status').filter({ hasText: before }).waitFor();
    await page.goForward();
    await page.getByRole('status').filter({ hasText: filtered }).waitFor();
    expect(complaints).toEqual([]);
  });

  test('the table goes to its last record', async () => {
    const page = await openAt('?kind=series&view=table');
    const answered = await answer('v1/SiteVariableAmounts?RecordCount=1');
    const count = Number(answered.TotalSiteVariableAmountsCount);
    await page.locator('.rows').evaluate((rows) => {
      rows.scrollTop = rows.scrollHeight;
    });
    const last = page.locator(`.rows tr[aria-rowindex="${count + 1}"]`);
    await last.getByRole('button').filter({ hasNotText: '…' }).waitFor();
    await last.click();
    await page.getByRole('complementary', { name: `Record ${count.toLocaleString('en-US')}` }).waitFor();
    expect(complaints).toEqual([]);
  });

  test('what changed since a former version is counted and shown', async () => {
    const page = await openAt('?kind=aggregates&view=table');
    await page.getByRole('button', { name: 'What changed' }).click();
    await page.locator('.versions button').last().click();
    await page.getByRole('heading', { name: 'Removed' }).waitFor();
    const since = new URL(page.url()).searchParams.get('ChangedSince') ?? '';
    const { TotalCount } = await answer(`v1/AggregatedAmounts/Facets?ChangedSince=${since}`);
    await page
      .getByRole('status')
      .filter({ hasText: TotalCount.toLocaleString('en-US') })
      .waitFor();
    expect(complaints).toEqual([]);
  });

  test('where a key is needed it is asked for once, kept for the tab, and in no address', async () => {
    const page = await (await browser.newContext()).newPage();
    const addresses: string[] = [];
    page.on('request', (request) => addresses.push(request.url()));
    await page.goto(`http://${OTHER_NAME}:${host.port}/explore?view=table&State=CO`);
    await page.getByRole('alert').getByText('The service needs a key.').waitFor();
    await page.getByLabel('Your key').fill('wdk_wrong');
    await page.keyboard.press('Enter');
    await page.getByText('does not know this one').waitFor();
    await page.getByLabel('Your key').fill(host.key ?? '');
    await page.keyboard.press('Enter');
    await page.getByRole('status').filter({ hasText: /\d/ }).waitFor();
    await page.reload();
    await page.getByRole('status').filter({ hasText: /\d/ }).waitFor();
    expect(await page.getByRole('checkbox', { name: /^CO/ }).isChecked()).toBe(true);
    expect(addresses.filter((address) => address.includes('wdk_'))).toEqual([]);
    expect(await page.evaluate('localStorage.length')).toBe(0);
  });

  test('limits and a lost network say what to do, and nothing is lost', async () => {
    const page = await openAt('?view=table');
    await page.route('**/Facets?*', (route) => route.fulfill({ status: 429, headers: { 'Retry-After': '1' } }));
    await page.getByRole('checkbox', { name: /^CO/ }).check();
    await page.getByText('has used up its allowance').waitFor();
    await page.unroute('**/Facets?*');
    await page.getByRole('status').filter({ hasText: '240' }).waitFor();
    await page.getByText('has used up its allowance').waitFor({ state: 'detached' });
    await page.route('**/Facets?*', (route) => route.abort());
    await page.getByRole('checkbox', { name: /^CO/ }).uncheck();
    await page.getByText('cannot be reached').waitFor();
    await page.unroute('**/Facets?*');
    await page.getByRole('button', { name: 'Try now' }).click();
    await page.getByRole('status').filter({ hasText: '300' }).waitFor();
    expect(new URL(page.url()).search).toBe('?view=table');
  });

  test('the keyboard alone filters, changes the view, opens a record and closes it', async () => {
    const page = await openAt('?view=table');
    await page.keyboard.press('Tab');
    expect(await page.evaluate('document.activeElement.textContent')).toBe('To the content');
    const tabTo = async (name: string): Promise<void> => {
      for (let steps = 0; steps < 60; steps++) {
        await page.keyboard.press('Tab');
        const focused = await page.evaluate(
          '(document.activeElement.closest("label")?.textContent ?? document.activeElement.textContent).trim()',
        );
        if (String(focused).startsWith(name)) return;
      }
      throw new Error(`no way by the keyboard to ${name}`);
    };
    await tabTo('CO');
    await page.keyboard.press('Space');
    await page.getByRole('status').filter({ hasText: '240' }).waitFor();
    await tabTo('CO-0001');
    await page.keyboard.press('Enter');
    const record = page.getByRole('complementary', { name: 'Record 1' });
    await record.waitFor();
    await page.keyboard.press('Escape');
    await record.waitFor({ state: 'detached' });
    expect(await page.evaluate('document.activeElement.textContent')).toBe('CO-0001');
    expect(complaints).toEqual([]);
  });

  const axe = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');

  test.each([
    '?view=table&State=CO&record=0',
    '?view=chart&stack=BeneficialUseCV',
    '?kind=series&view=chart&chart=sites&site=SAMPLE_UT_S1&open=take',
    '?kind=aggregates&view=table&open=changes',
  ])('%s has nothing that keeps people out, light and dark, and fits a narrow screen', async (query) => {
    const page = await openAt(query, { colorScheme: 'dark', viewport: { width: 360, height: 800 } });
    await page.locator('.side, .plot canvas').first().waitFor();
    expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0);
    // As a debugger runs it: the policy of the page stays.
    const check = async (): Promise<unknown> => {
      await page.evaluate(axe);
      const text = `axe.run().then(({ violations }) =>
        violations.map(({ id, nodes }) => [id, nodes.slice(0, 3).map(({ html }) => html.slice(0, 160))]))`;
      return page.evaluate(text);
    };
    expect(await check()).toEqual([]);
    await page.emulateMedia({ colorScheme: 'light' });
    await page.setViewportSize({ width: 1280, height: 800 });
    expect(await check()).toEqual([]);
    expect(complaints).toEqual([]);
  });
});
