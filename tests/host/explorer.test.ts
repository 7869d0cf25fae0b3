// The explorer in a browser, as its visitors use it. No request may go to another host, the browser may report no
// error, and no address may hold a key. What the page shows is compared with what the service answers.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { describeInBrowser, launchBrowser, OTHER_NAME } from '../fixtures/browser';
import { EXPLORER_VIEWPORT, ExplorerVisit } from '../fixtures/explorer-visit';
import { startHost, type RunningHost } from '../fixtures/host-process';
import { temporaryFolder } from '../fixtures/temporary-folder';
import { testAccess } from './explorer/access-tests';
import { testMap } from './explorer/map-tests';

const folder = temporaryFolder();

describeInBrowser(() => {
  let host: RunningHost;
  let browser: Browser;
  let visit: ExplorerVisit;

  const newVisit = async (inside: Browser): Promise<ExplorerVisit> => {
    const context = await inside.newContext({ viewport: EXPLORER_VIEWPORT, reducedMotion: 'reduce' });
    return new ExplorerVisit(await context.newPage(), `http://127.0.0.1:${host.port}/`, host.key ?? '');
  };

  beforeAll(async () => {
    [host, browser] = await Promise.all([startHost({ WATER_DATA_DIR: join(folder, 'data') }), launchBrowser()]);
    visit = await newVisit(browser);
  });

  afterAll(async () => {
    await browser.close();
    await host.stop();
  });

  beforeEach(() => {
    visit.complaints.length = 0;
  });

  afterEach(() => {
    expect(visit.complaints).toEqual([]);
  });

  test('rights senior to 1890 in a county: the total and the first record are those of the service', async () => {
    await visit.open('?view=table');
    const { page } = visit;
    await page.getByRole('checkbox', { name: 'Fremont' }).check();
    await page.getByLabel('Priority date to').fill('1889');
    await page.keyboard.press('Enter');
    await page.getByLabel('Order').selectOption({ label: 'Most senior first' });
    const expected = await visit.answer(
      'v1/SiteAllocationAmounts?County=Fremont&EndPriorityDate=1889-12-31&OrderBy=AllocationPriorityDate',
    );
    await visit.awaitTotal(expected.TotalWaterAllocationsCount);
    const [first] = expected.Organizations[0].WaterAllocations;
    await visit.button(first.AllocationNativeID).click();
    await visit.side('Record 1').getByText(first.AllocationOwner).waitFor();
    expect(new URL(page.url()).search).toBe(
      '?view=table&order=AllocationPriorityDate&record=0&County=Fremont&EndPriorityDate=1889-12-31',
    );
  });

  test('an area is set by its coordinates, without the map', async () => {
    await visit.open('?view=table');
    const { page } = visit;
    await page.getByLabel('Kind of area').selectOption({ label: 'Box: west, south, east, north' });
    await page.getByLabel('Area', { exact: true }).fill('-107,38,-105,40');
    await page.keyboard.press('Enter');
    const within = await visit.answer('v1/SiteAllocationAmounts?SearchGeometry=bbox:-107,38,-105,40');
    await visit.awaitTotal(within.TotalWaterAllocationsCount);
    await visit.button('Remove filter Within: box -107, 38, -105, 40').waitFor();
  });

  test('a chart has the sums of the service, and its file has them too', async () => {
    await visit.open('?kind=aggregates&view=chart&stack=BeneficialUseCV&State=NM');
    const { page } = visit;
    const { Totals } = await visit.answer('v1/AggregatedAmounts/Totals?State=NM&GroupBy=Year&GroupBy=BeneficialUseCV');
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
    const [head = '', row = ''] = readFileSync(await visit.saved(() => visit.button('CSV').click()), 'utf8').split(
      '\n',
    );
    expect(head).toMatch(/^Year,.*AF/);
    expect(row.split(',')[0]).toBe(first.Year);
    const picture = readFileSync(await visit.saved(() => visit.button('PNG').click()));
    expect(picture.subarray(1, 4).toString()).toBe('PNG');
  });

  test('what is filtered is taken along as CSV, Parquet and GeoJSON, each with every record', async () => {
    await visit.open('?open=take&view=table&State=CO&BeneficialUseCV=Irrigation');
    const { page } = visit;
    const count = Number.parseInt(await visit.total(), 10);
    const take = async (name: RegExp): Promise<Buffer> =>
      readFileSync(await visit.saved(() => visit.side('Take it').getByRole('button', { name }).click()));
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
  });

  test('two sites are compared by their water years, from the table on', async () => {
    const found = await visit.answer('v1/SiteVariableAmounts?VariableCV=Discharge+Flow&RecordCount=10000');
    const [, { SiteUUID, SiteName }] = found.Organizations[0].Sites;
    await visit.open('?kind=series&view=table&VariableCV=Discharge+Flow');
    const { page } = visit;
    await page.locator('.rows tbody button').first().click();
    await visit.button('As a line').click();
    await page.getByLabel('Water years laid over each other').check();
    await page.getByLabel('Add a site by its identifier').fill(SiteUUID);
    await page.keyboard.press('Enter');
    await visit.button(`Remove site ${SiteName}`).waitFor();
    await page.locator('.plot canvas').waitFor();
    expect(await page.locator('.legend li').count()).toBeGreaterThan(1);
    expect(new URL(page.url()).searchParams.getAll('site')).toHaveLength(2);
  });

  test('an address gives the same picture in a fresh profile, and back and forward go through it', async () => {
    await visit.open('?view=table');
    const { page } = visit;
    const before = await visit.total();
    await page.getByRole('checkbox', { name: /^WY/ }).check();
    await visit.button('Remove filter State: WY').waitFor();
    await page.locator('.total [role="status"]').filter({ hasNotText: before }).waitFor();
    const filtered = await visit.total();
    const shared = await newVisit(browser);
    await shared.open(new URL(page.url()).search);
    expect(await shared.total()).toBe(filtered);
    expect(await shared.page.getByRole('checkbox', { name: /^WY/ }).isChecked()).toBe(true);
    expect(shared.complaints).toEqual([]);
    await shared.page.context().close();
    await page.goBack();
    await visit.status(before).waitFor();
    await page.goForward();
    await visit.status(filtered).waitFor();
  });

  test('the table goes to its last record', async () => {
    await visit.open('?kind=series&view=table');
    const { page } = visit;
    const answered = await visit.answer('v1/SiteVariableAmounts?RecordCount=1');
    const count = Number(answered.TotalSiteVariableAmountsCount);
    await page.locator('.rows').evaluate((rows) => {
      rows.scrollTop = rows.scrollHeight;
    });
    const last = page.locator(`.rows tr[aria-rowindex="${count + 1}"]`);
    await last.getByRole('button').filter({ hasNotText: '…' }).waitFor();
    await last.click();
    await visit.side(`Record ${count.toLocaleString('en-US')}`).waitFor();
  });

  test('what changed since a former version is counted and shown', async () => {
    await visit.open('?kind=aggregates&view=table');
    const { page } = visit;
    await visit.button('What changed').click();
    await page.locator('.versions button').last().click();
    await page.getByRole('heading', { name: 'Removed' }).waitFor();
    const since = visit.asked('ChangedSince');
    const { TotalCount } = await visit.answer(`v1/AggregatedAmounts/Facets?ChangedSince=${since}`);
    await visit.awaitTotal(TotalCount);
  });

  test('where a key is needed it is asked for once, kept for the tab, and in no address', async () => {
    const page = await (await browser.newContext({ viewport: EXPLORER_VIEWPORT })).newPage();
    const addresses: string[] = [];
    page.on('request', (request) => addresses.push(request.url()));
    await page.goto(`http://${OTHER_NAME}:${host.port}/explore?view=table&State=CO`);
    await page.getByRole('alert').getByText('The service needs a key.').waitFor();
    await page.getByLabel('Your key').fill('wdk_wrong');
    await page.keyboard.press('Enter');
    await page.getByText('does not know this one').waitFor();
    await page.getByLabel('Your key').fill(host.key ?? '');
    await page.keyboard.press('Enter');
    const total = page.getByRole('status').filter({ hasText: /\d/ });
    await total.waitFor();
    await page.reload();
    await total.waitFor();
    expect(await page.getByRole('checkbox', { name: /^CO/ }).isChecked()).toBe(true);
    expect(addresses.filter((address) => address.includes('wdk_'))).toEqual([]);
    expect(await page.evaluate('localStorage.length')).toBe(0);
    await page.context().close();
  });

  test('limits and a lost network say what to do, and nothing is lost', async () => {
    await visit.open('?view=table');
    const { page } = visit;
    await page.route('**/Facets?*', (route) => route.fulfill({ status: 429, headers: { 'Retry-After': '1' } }));
    await page.getByRole('checkbox', { name: /^CO/ }).check();
    await page.getByText('has used up its allowance').waitFor();
    await page.unroute('**/Facets?*');
    await visit.awaitTotal(240);
    await page.getByText('has used up its allowance').waitFor({ state: 'detached' });
    await page.route('**/Facets?*', (route) => route.abort());
    await page.getByRole('checkbox', { name: /^CO/ }).uncheck();
    await page.getByText('cannot be reached').waitFor();
    await page.unroute('**/Facets?*');
    await visit.button('Try now').click();
    await visit.awaitTotal(300);
    expect(new URL(page.url()).search).toBe('?view=table');
    // These are what the test is about.
    visit.complaints.length = 0;
  });

  test('without WebGL the page says what is missing, and table, chart and filters work', async () => {
    const bare = await launchBrowser('none');
    const other = await newVisit(bare);
    await other.open('');
    await other.page.getByText('it has no WebGL').waitFor();
    await other.page.getByRole('checkbox', { name: /^CO/ }).check();
    await other.awaitTotal(240);
    await other.button('Table').click();
    await other.button('CO-0001').waitFor();
    await other.button('Chart').click();
    await other.page.locator('.plot canvas').waitFor();
    await bare.close();
    expect(other.complaints).toEqual([]);
  });

  testMap(() => visit);

  testAccess(() => visit);
});
