// Tests of the table and the chart of the explorer, and of saving their content: parts of tests/host/browser.test.ts.

import { readFileSync } from 'node:fs';
import { parse } from 'csv-parse/sync';
import type { TotalsAnswer, TotalsAnswerRow } from '../../../explorer/requests/totals';
import type { BrowserSuite } from './suite';

export function testViews({ visit: visitNow, newVisit }: BrowserSuite): void {
  test("rights senior to 1890 in a county: the total and the first record equal the service's answer", async () => {
    const visit = visitNow();
    await visit.open('?view=table');
    const { page } = visit;
    await page.getByRole('checkbox', { name: 'Fremont County, CO' }).check();
    await page.getByLabel('Priority date to').fill('1889');
    await page.keyboard.press('Enter');
    await page.getByLabel('Sort by').selectOption({ label: 'oldest right first' });
    const expected = await visit.fetchAnswer(
      'v1/SiteAllocationAmounts?State=CO&County=Fremont&EndPriorityDate=1889-12-31&OrderBy=AllocationPriorityDate',
    );
    await visit.waitForTotal(expected.TotalWaterAllocationsCount);
    const [first] = expected.Organizations[0].WaterAllocations;
    await visit.getButton(first.AllocationNativeID).click();
    await visit.getPanel('Record 1').getByText(first.AllocationOwner).first().waitFor();
    expect(new URL(page.url()).search).toBe(
      '?view=table&order=AllocationPriorityDate&record=0&State=CO&County=Fremont&EndPriorityDate=1889-12-31',
    );
  });

  test("the seniority of a right, opened from its panel: counts and running sums equal the service's totals", async () => {
    const visit = visitNow();
    await visit.open('?view=table&AllocationNativeID=CO-0002&record=0');
    const { page } = visit;
    await visit.getButton('Seniority on its source').press('Enter');
    await page.locator('.seniority tr.own').getByText('CO-0002').waitFor();
    const rows = readCsv(await visit.saveFile(() => visit.getButton('Download CSV').click()));
    const source = new URLSearchParams({ WaterSourceUUID: rows[0]?.['SharedBy']?.split(':')[1] ?? '' }).toString();
    const route = `v1/SiteAllocationAmounts/Totals?${source}`;
    const { Totals: all } = await visit.fetchAnswer(`${route}&GroupBy=State`);
    const { Totals: senior } = await visit.fetchAnswer(`${route}&GroupBy=State&EndPriorityDate=1922-10-10`);
    expect(rows.filter(({ Relation }) => Relation === 'senior')).toHaveLength(senior[0].RecordsCount);
    expect(rows).toHaveLength(all[0].RecordsCount);
    const dated = rows.filter(({ Position }) => Position !== '');
    const undated = rows.filter(({ Position }) => Position === '');
    for (const [column, sum] of [
      ['Flow_CFS', all[0].FlowSum],
      ['Volume_AF', all[0].VolumeSum],
    ] as const) {
      const apart = undated.reduce((total, row) => total + Number(row[`Allocation${column}`]), 0);
      expect(Number(dated.at(-1)?.[`Running${column}`]) + apart).toBeCloseTo(sum, 6);
    }
    const sums = page.getByRole('region', { name: 'Sums' });
    expect(await sums.locator('tr', { hasText: 'Senior' }).locator('td').first().innerText()).toBe(
      String(senior[0].RecordsCount),
    );
    await visit.getButton('Back to the explorer').click();
    await visit.getPanel('Record 1').waitFor();
  });

  test('an area can be set by coordinates, without the map', async () => {
    const visit = visitNow();
    await visit.open('?view=table');
    const { page } = visit;
    await page.getByText('By coordinates', { exact: true }).click();
    await page.getByLabel(/^Area by coordinates/).fill('-107,38,-105,40');
    await page.keyboard.press('Enter');
    const within = await visit.fetchAnswer('v1/SiteAllocationAmounts?SearchGeometry=bbox:-107,38,-105,40');
    await visit.waitForTotal(within.TotalWaterAllocationsCount);
    await visit.getButton('Remove filter Within: box -107, 38, -105, 40').waitFor();
  });

  test('totals stacked by use: the table and the CSV contain every sum of the service, and SVG and PNG the chart', async () => {
    const visit = visitNow();
    await visit.open('?kind=aggregates&view=chart&State=NM');
    const { page } = visit;
    await page.getByLabel('Stack by').selectOption({ label: 'Beneficial use' });
    const path = 'v1/AggregatedAmounts/Totals?State=NM&GroupBy=Year&GroupBy=BeneficialUseCV&CountOnce=true';
    const { Totals }: TotalsAnswer = await visit.fetchAnswer(path);
    const uses = new Set(Totals.map(({ BeneficialUseCV }) => String(BeneficialUseCV)));
    await visit.waitForChart();
    const figures = readCsv(await visit.saveFile(() => visit.getButton('CSV').click()));
    /** Adds up, for each year, the uses that share a column, because there are more uses than colors. */
    const others = new Map<string, number>();
    for (const { Year = null, BeneficialUseCV, AmountUnitCV, Sum } of Totals) {
      const column = `${String(BeneficialUseCV)} (${String(AmountUnitCV)})`;
      const figure = figures.find((row) => row['Year'] === Year);
      if (Year === null || figure === undefined) continue;
      if (column in figure) expect(figure[column]).toBe(String(Sum ?? ''));
      else others.set(String(Year), (others.get(String(Year)) ?? 0) + Number(Sum ?? 0));
    }
    for (const [year, sum] of others) {
      const figure = figures.find((row) => row['Year'] === year);
      expect(Number(figure?.['all others (AF)'])).toBeCloseTo(sum, 6);
    }
    await page.getByText('Data table').click();
    const first = Totals.find((row) => row['Year'] === '1985' && row['BeneficialUseCV'] === 'Public Water Supply');
    const sum = Number(first?.['Sum']);
    const shown = page.locator('.figures tbody tr').filter({ hasText: '1985' });
    await shown.getByText(sum.toLocaleString('en-US'), { exact: true }).waitFor();
    await page.locator('.plot').press('ArrowRight');
    const status = page.getByRole('status').filter({ hasText: '1985, AF: ' });
    expect(await status.innerText()).toContain(`Public Water Supply ${Math.round(sum).toLocaleString('en-US')}`);
    const svg = readFileSync(await visit.saveFile(() => visit.getButton('SVG').click()), 'utf8');
    for (const use of [...uses].filter((name) => figures.some((row) => `${name} (AF)` in row)))
      expect(svg).toContain(`>${use}</text>`);
    const picture = readFileSync(await visit.saveFile(() => visit.getButton('PNG').click()));
    expect(picture.subarray(1, 4).toString()).toBe('PNG');
    await page.getByText('Data table').click();
  });

  test("bars are stacked by comparable uses, and their totals equal the service's, each right counted once", async () => {
    const visit = visitNow();
    await visit.open('?view=chart');
    await visit.waitForChart();
    const totalsBy = async (group: string): Promise<readonly TotalsAnswerRow[]> =>
      (await visit.fetchAnswer(`v1/SiteAllocationAmounts/Totals?GroupBy=PriorityDecade${group}`)).Totals;
    const whole = await totalsBy('');
    const pieces = await totalsBy('&GroupBy=UseCategoryCV&CountOnce=true');
    const figures = readCsv(await visit.saveFile(() => visit.getButton('CSV').click()));
    for (const { PriorityDecade = null, UseCategoryCV = 'Total', RecordsCount } of [...whole, ...pieces]) {
      const figure = figures.find((row) => row['Priority decade'] === PriorityDecade);
      const names: Readonly<Record<string, string>> = { '(several)': 'several uses', null: 'not stated' };
      const name = names[String(UseCategoryCV)] ?? String(UseCategoryCV);
      const column = `${name} (rights)`;
      if (PriorityDecade !== null && figure !== undefined && column in figure)
        expect(figure[column]).toBe(String(RecordsCount));
    }
    // A bar is as high as its total, whatever its segments.
    for (const { 'Priority decade': decade, 'Total (rights)': total, ...parts } of figures) {
      const sum = Object.values(parts).reduce((all, part) => all + Number(part), 0);
      expect([decade, sum]).toEqual([decade, Number(total)]);
    }
    await visit.page.getByLabel('Stack by').selectOption({ label: 'no breakdown' });
    await visit.waitForChart();
    expect(visit.getQueryValue('stack')).toBe('none');
  });

  test('filtered records can be saved as CSV, Parquet and GeoJSON, each with every record', async () => {
    const visit = visitNow();
    await visit.open('?open=take&view=table&State=CO&BeneficialUseCV=Irrigation');
    const { page } = visit;
    const count = Number.parseInt(await visit.readTotal(), 10);
    const take = async (name: RegExp): Promise<Buffer> =>
      readFileSync(await visit.saveFile(() => visit.getPanel('Download').getByRole('button', { name }).click()));
    // The page requests the Parquet file to get its size, and the service writes only a few files at the same time.
    await visit
      .getPanel('Download')
      .getByRole('button', { name: /^Parquet.*about/ })
      .waitFor();
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

  test('two gages can be compared by water year, starting from the table, with the amounts of the service', async () => {
    const visit = visitNow();
    await visit.open('?kind=series&view=table&VariableCV=Discharge+Flow');
    const { page } = visit;
    const found = await visit.fetchAnswer('v1/SiteVariableAmounts?VariableCV=Discharge+Flow&RecordCount=10000');
    const { SiteVariableAmounts: amounts, Sites } = found.Organizations[0];
    const [, { SiteUUID, SiteName }] = Sites;
    await page.locator('.rows tbody button').first().click();
    await page.locator('.side').getByRole('button', { name: 'Chart', exact: true }).click();
    await page.getByLabel('Overlay water years').check();
    await visit.pickSuggestion(SiteName.slice(0, 12), new RegExp(`^${SiteName} `), 'Add a site by name');
    await visit.getButton(`Remove site ${SiteName}`).waitFor();
    await visit.waitForChart();
    expect(new URL(page.url()).searchParams.getAll('site')).toHaveLength(2);
    const figures = readCsv(await visit.saveFile(() => visit.getButton('CSV').click()));
    const ofOctober = figures.find((row) => row['Day of the water year'] === 'Oct 1');
    for (const year of [2015, 2023]) {
      const { Amount } = amounts.find(
        (one: Item) => one['SiteUUID'] === SiteUUID && one['TimeframeStart']?.startsWith(`${year - 1}-10-01`),
      );
      expect(ofOctober?.[`${SiteName}, ${year} (CFS)`]).toBe(String(Amount));
    }
  });

  test('an address shows the same view in a new profile, and back and forward move through views', async () => {
    const visit = visitNow();
    await visit.open('?view=chart&stack=BeneficialUseCV');
    const { page } = visit;
    const before = await visit.readTotal();
    await page.getByRole('checkbox', { name: /^Wyoming/ }).check();
    await visit.getButton('Remove filter State: Wyoming').waitFor();
    await page.locator('.total [role="status"]').filter({ hasNotText: before }).waitFor();
    const filtered = await visit.readTotal();
    const shared = await newVisit();
    await shared.open(new URL(page.url()).search);
    expect(await shared.readTotal()).toBe(filtered);
    expect(await shared.page.getByRole('checkbox', { name: /^Wyoming/ }).isChecked()).toBe(true);
    // Either page may still be drawing. Compares without listing the differing bytes, which takes half a minute.
    let isSame = false;
    for (let tries = 0; !isSame && tries < 20; tries++) {
      isSame = (await shared.takePicture()).equals(await visit.takePicture());
    }
    expect(isSame).toBe(true);
    expect(shared.complaints).toEqual([]);
    await shared.page.context().close();
    await page.goBack();
    await visit.getStatus(before).waitFor();
    await page.goForward();
    await visit.getStatus(filtered).waitFor();
  });

  test('the table can be sorted, shows chosen columns, scrolls to its last record, and links to its page and the map', async () => {
    const visit = visitNow();
    await visit.open('?kind=series&view=table&State=UT');
    const { page } = visit;
    await page.locator('th button').filter({ hasText: 'Amount' }).click();
    await page.locator('th[aria-sort="descending"]').filter({ hasText: 'Amount ↓' }).waitFor();
    expect(await page.getByLabel('Sort by').inputValue()).toBe('-Amount');
    await page.getByText('Columns', { exact: true }).click();
    await page.getByRole('checkbox', { name: 'HUC8', exact: true }).check();
    await page.getByText('Columns', { exact: true }).click();
    const found = await visit.fetchAnswer('v1/SiteVariableAmounts?State=UT&OrderBy=-Amount&RecordCount=10000');
    const { SiteVariableAmounts: amounts, Sites } = found.Organizations[0];
    const text = ({ Amount }: { Amount: number }): string =>
      Amount.toLocaleString('en-US', { maximumFractionDigits: 15 });
    const findSite = (uuid: string): Item => Sites.find((site: Item) => site['SiteUUID'] === uuid);
    await page.locator('.rows tbody tr').nth(1).getByText(text(amounts[0]), { exact: true }).waitFor();
    await page
      .locator('.rows tbody tr')
      .nth(1)
      .getByText(findSite(amounts[0].SiteUUID)['HUC8'] ?? '')
      .waitFor();
    await page.locator('.rows').evaluate((rows) => {
      rows.scrollTop = rows.scrollHeight;
    });
    const last = page.locator(`.rows tr[aria-rowindex="${Number(amounts.length) + 1}"]`);
    await last.getByText(text(amounts.at(-1)), { exact: true }).waitFor();
    await last.getByRole('button').click();
    await visit.getPanel(`Record ${amounts.length.toLocaleString('en-US')}`).waitFor();
    await visit.getButton('Show on map').click();
    await visit.findMapMiddle();
    const { Longitude, Latitude } = findSite(amounts.at(-1).SiteUUID);
    const [longitude, latitude] = visit.getQueryValue('at').split(',').map(Number);
    expect([longitude, latitude]).toEqual([
      expect.closeTo(Number(Longitude), 3) as number,
      expect.closeTo(Number(Latitude), 3) as number,
    ]);
  });

  test('a table that is longer than browsers can draw can be scrolled from its start with the wheel', async () => {
    const visit = visitNow();
    const { page } = visit;
    // There are only a few samples, so the total of another table is used.
    await page.route(/v1\/SiteAllocationAmounts\?.*format=csv/, async (route) => {
      const response = await route.fetch();
      await route.fulfill({ response, headers: { ...response.headers(), 'x-total-count': '1000000' } });
    });
    await visit.open('?view=table&State=CO');
    await page.locator('.rows table[aria-rowcount="1000001"]').hover();
    await page.mouse.wheel(0, 200);
    await page.locator('.rows tr[aria-rowindex="40"]').waitFor();
    expect(await page.locator('.rows').evaluate((rows) => rows.scrollTop)).toBe(200);
  });

  test('the map can be saved as a picture named after its content, but only while it is shown', async () => {
    const visit = visitNow();
    await visit.open('?open=take&State=CO');
    await visit.findMapMiddle();
    const button = visit.getPanel('Download').getByRole('button', { name: /^Map image/ });
    const [download] = await Promise.all([visit.page.waitForEvent('download'), button.click()]);
    expect(download.suggestedFilename()).toMatch(/^WaterAllocations_CO_[0-9a-f]{8}\.png$/);
    const picture = readFileSync(await download.path());
    expect(picture.subarray(1, 4).toString()).toBe('PNG');
    // The map itself, with lines above and below it.
    const { height = 0 } = (await visit.page.locator('.map').boundingBox()) ?? {};
    expect(picture.readUInt32BE(20)).toBeGreaterThan(height + 60);
    await visit.getButton('Table').click();
    await button.waitFor({ state: 'detached' });
  });
}

type Item = Readonly<Record<string, string>>;

const readCsv = (path: string): readonly Item[] => parse(readFileSync(path), { columns: true, bom: true });
