// What visitors do on the map of the explorer: parts of tests/host/explorer.test.ts, in the same browser.

import { readFileSync } from 'node:fs';
import type { ExplorerVisit } from '../../fixtures/explorer-visit';

export function testMap(visitNow: () => ExplorerVisit): void {
  test('a right is opened on the map, a polygon is drawn around it, and its records are saved as a file', async () => {
    const visit = visitNow();
    const { Organizations } = await visit.answer('v1/SiteAllocationAmounts?County=Fremont&RecordCount=1');
    const [right] = Organizations[0].WaterAllocations;
    const [site] = right.Sites;
    await visit.open(`?at=${site.Longitude},${site.Latitude},14`);
    const { page } = visit;
    const [x, y] = await visit.mapMiddle();
    await page.mouse.click(x, y);
    await visit.side('Water right').getByText(site.SiteUUID).first().waitFor();
    await visit.button('Close').click();
    await visit.button('Polygon').click();
    for (const [right, down] of [
      [-40, -40],
      [40, -40],
      [40, 40],
      [-40, 40],
    ] as const)
      await page.mouse.click(x + right, y + down);
    await page.keyboard.press('Enter');
    await page.waitForURL(/SearchGeometry=POLYGON/);
    const drawn = visit.asked('SearchGeometry');
    const within = await visit.answer(`v1/SiteAllocationAmounts?SearchGeometry=${encodeURIComponent(drawn)}`);
    await visit.awaitTotal(within.TotalWaterAllocationsCount);
    await visit.button('Take it').click();
    const file = await visit.saved(() => visit.side('Take it').getByRole('button', { name: /^CSV/ }).click());
    const rows = readFileSync(file, 'utf8').trimEnd().split('\r\n');
    expect(rows.slice(1)).toHaveLength(within.TotalWaterAllocationsCount);
  });

  test('public supply of areas is shaded year by year, by the sums of the service', async () => {
    const visit = visitNow();
    await visit.open('?kind=aggregates&UsgsCategoryNameCV=Public+Supply');
    const { page } = visit;
    const years = page.getByLabel('Year', { exact: true });
    await years.focus();
    await page.keyboard.press('End');
    await page.waitForURL(/year=2020/);
    const groups = 'GroupBy=ReportingUnitUUID&GroupBy=Year';
    const { Totals } = await visit.answer(`v1/AggregatedAmounts/Totals?UsgsCategoryNameCV=Public+Supply&${groups}`);
    const sums = Totals.flatMap(({ Year, Sum }: { Year: string; Sum: number | null }) =>
      Year === '2020' && Sum !== null ? [Sum] : [],
    );
    const [least, most] = [Math.min(...sums), Math.max(...sums)].map((sum) => Math.round(sum).toLocaleString('en-US'));
    const legend = page.getByRole('region', { name: 'Legend: 2020, AF' });
    const entries = legend.getByRole('listitem');
    await entries
      .first()
      .filter({ hasText: `${least} to ` })
      .waitFor();
    await entries
      .last()
      .filter({ hasText: ` to ${most}` })
      .waitFor();
    await visit.mapMiddle();
  });

  test('a site is found by its name with the keyboard, and shown with its amounts as a line', async () => {
    const visit = visitNow();
    await visit.open('?kind=series');
    const { page } = visit;
    await visit.mapMiddle();
    await visit.tabTo('Go to a place');
    await page.keyboard.type('heron');
    await page.getByRole('option', { name: /^Heron Fork near Heron Bend/ }).waitFor();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('Enter');
    const side = visit.side('Site');
    await side.locator('.plot canvas').waitFor();
    const { Organizations } = await visit.answer(`v1/Sites?SiteUUID=${visit.asked('place').split('~')[1] ?? ''}`);
    const [site] = Organizations[0].Sites;
    expect(
      visit
        .asked('at')
        .split(',')
        .slice(0, 2)
        .map((text) => Number(text).toFixed(3)),
    ).toEqual([site.Longitude, site.Latitude].map((text) => Number(text).toFixed(3)));
    await page.keyboard.press('Escape');
    await side.waitFor({ state: 'detached' });
    await visit.tabTo('Map');
    await visit.mapMiddle();
    await page.keyboard.press('Enter');
    await side.getByText(site.SiteUUID).first().waitFor();
    await page.keyboard.press('Escape');
    const before = visit.asked('at');
    await page.locator('.map canvas').press('ArrowRight');
    await expect(page.waitForURL((url) => url.searchParams.get('at') !== before)).resolves.toBeUndefined();
  });
}
