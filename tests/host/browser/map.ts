// What visitors do on the map of the explorer: parts of tests/host/browser.test.ts.

import { readFileSync } from 'node:fs';
import { EXPLORER_VIEWPORT, tabToElement } from '../../fixtures/explorer-visit';
import type { BrowserSuite } from './suite';

export function testMap({ host, visit: visitNow }: BrowserSuite): void {
  test('a right is opened on the map, a polygon is drawn around it, and its records are saved as a file', async () => {
    const visit = visitNow();
    const { Organizations } = await visit.fetchAnswer('v1/SiteAllocationAmounts?County=Fremont&RecordCount=1');
    const [right] = Organizations[0].WaterAllocations;
    const [site] = right.Sites;
    await visit.load(`?at=${site.Longitude},${site.Latitude},14`);
    const { page } = visit;
    const [x, y] = await visit.findMapMiddle();
    await page.mouse.click(x, y);
    await visit.getPanel('Water right').getByText('All fields').click();
    await visit.getPanel('Water right').getByText(site.SiteUUID).first().waitFor();
    await visit.getButton('Close').click();
    await visit.getButton('Polygon').click();
    for (const [right, down] of [
      [-40, -40],
      [40, -40],
      [40, 40],
      [-40, 40],
    ] as const)
      await page.mouse.click(x + right, y + down);
    await page.keyboard.press('Enter');
    await page.waitForURL(/SearchGeometry=POLYGON/);
    const drawn = visit.getQueryValue('SearchGeometry');
    const within = await visit.fetchAnswer(`v1/SiteAllocationAmounts?SearchGeometry=${encodeURIComponent(drawn)}`);
    await visit.waitForTotal(within.TotalWaterAllocationsCount);
    await visit.getButton('Download').click();
    const file = await visit.saveFile(() => visit.getPanel('Download').getByRole('button', { name: /^CSV/ }).click());
    const rows = readFileSync(file, 'utf8').trimEnd().split('\r\n');
    expect(rows.slice(1)).toHaveLength(within.TotalWaterAllocationsCount);
  });

  test("public supply of areas is shaded from 1985 to 2020 by the service's sums, and can be printed", async () => {
    const visit = visitNow();
    await visit.open('?kind=aggregates&UsgsCategoryNameCV=Public+Supply');
    const { page } = visit;
    const groups = 'GroupBy=ReportingUnitUUID&GroupBy=Year';
    const { Totals } = await visit.fetchAnswer(
      `v1/AggregatedAmounts/Totals?UsgsCategoryNameCV=Public+Supply&${groups}`,
    );
    await page.getByRole('region', { name: 'Legend: 2020, AF' }).waitFor();
    // Shades cover all years, so that years can be compared.
    const sums = Totals.flatMap(({ Sum }: { Sum: number | null }) => Sum ?? []);
    const [least, most] = [Math.min(...sums), Math.max(...sums)].map((sum) => Math.round(sum).toLocaleString('en-US'));
    await page.getByLabel('Year', { exact: true }).focus();
    for (const [key, shown] of [
      ['Home', '1985'],
      ['End', '2020'],
    ] as const) {
      await page.keyboard.press(key);
      const legend = page.getByRole('region', { name: `Legend: ${shown}, AF` });
      const entries = legend.getByRole('listitem').filter({ hasText: ' to ' });
      await entries
        .first()
        .filter({ hasText: `${least} to ` })
        .waitFor();
      await entries
        .last()
        .filter({ hasText: ` to ${most}` })
        .waitFor();
      expect(visit.getQueryValue('year')).toBe(shown);
    }
    const unit = Totals.find(({ Year, Sum }: { Year: string; Sum: number | null }) => Year === '2020' && Sum !== null);
    await visit.open(`${new URL(page.url()).search}&place=SAMPLE_NM~${unit.ReportingUnitUUID}`);
    const sum = `${unit.Sum.toLocaleString('en-US', { maximumFractionDigits: 1 })} AF`;
    await visit.getPanel('Reporting unit').getByText(sum, { exact: true }).waitFor();
    await page.keyboard.press('Escape');
    await visit.getPanel('Reporting unit').waitFor({ state: 'detached' });
    await visit.findMapMiddle();
    await page.emulateMedia({ media: 'print' });
    await page.evaluate('dispatchEvent(new Event("beforeprint"))');
    expect(await page.evaluate(COLOURS_ON_PAPER)).toBeGreaterThan(5);
    await page.getByText('Sample Water Agency of New Mexico').waitFor();
    expect(await page.getByText('Sample Water Agency of Idaho').count()).toBe(0);
    await page.getByText(page.url(), { exact: true }).waitFor();
    expect(await page.getByRole('button', { name: 'Download' }).isVisible()).toBe(false);
    await page.evaluate('dispatchEvent(new Event("afterprint"))');
    await page.emulateMedia({ media: 'screen' });
    await visit.pickSuggestion('bernalillo', /^Bernalillo/);
    const { Organizations } = await visit.fetchAnswer('v1/ReportingUnits?ReportingUnitUUID=SAMPLE_NM_RU1');
    await visit
      .getPanel('Reporting unit')
      .getByText(Organizations[0].ReportingUnits[0].ReportingUnitName)
      .first()
      .waitFor();
  });

  test('a county is found by its name and becomes the filter, with the suggested number of rights', async () => {
    const visit = visitNow();
    await visit.open('');
    await visit.findMapMiddle();
    const within = await visit.fetchAnswer('v1/SiteAllocationAmounts?SearchGeometry=county:CO/Fremont&RecordCount=1');
    const count = `${within.TotalWaterAllocationsCount} water rights`;
    await visit.pickSuggestion('frem', new RegExp(`^Fremont County, CO *county *${count}`));
    await visit.waitForTotal(within.TotalWaterAllocationsCount);
    expect(visit.getQueryValue('SearchGeometry')).toBe('county:CO/Fremont');
    await visit.getButton('Remove filter Within: Fremont County, CO').waitFor();
    // The page says what the area has, and which filter to remove.
    await visit.open('?SearchGeometry=county:CO/Fremont&State=WY');
    await visit.page.getByText(`${count} in Fremont County, CO, but none match your other filters`).waitFor();
    await visit.getButton(/^without “State”/).click();
    await visit.waitForTotal(within.TotalWaterAllocationsCount);
    // A town is not part of the data: the map moves there, and the filters stay.
    await visit.pickSuggestion('salid', /^Salida town, CO/);
    expect(visit.getQueryValue('at')).toMatch(/^-10[56]\.\d+,38\.5\d*,11$/);
    expect(visit.getQueryValue('SearchGeometry')).toBe('county:CO/Fremont');
  });

  test('the map moves to a chosen state and requests no tile of its previous position', async () => {
    const visit = visitNow();
    await visit.open('?at=-80,30,5');
    const { page } = visit;
    await visit.findMapMiddle();
    const columns: number[] = [];
    page.on('request', (request) => {
      const [, zoom, column] = /WebMercatorQuad\/(\d+)\/\d+\/(\d+)\?State=WY/.exec(request.url()) ?? [];
      if (column !== undefined) columns.push(Number(column) / 2 ** Number(zoom));
    });
    const asking = page.waitForRequest(/WebMercatorQuad.*State=WY/);
    await page.getByRole('checkbox', { name: /^Wyoming/ }).check();
    await asking;
    await visit.findMapMiddle();
    expect(columns.length).toBeGreaterThan(0);
    // The tiles around Wyoming start at 101 degrees west; the previous view started at 90 degrees west.
    expect(Math.max(...columns)).toBeLessThan((180 - 100) / 360);
    expect(visit.getQueryValue('at')).toBe('');
    await page.goBack();
    expect(visit.getQueryValue('at')).toBe('-80,30,5');
  });

  test('a site is found by its name with the keyboard, and its amounts are shown as a line', async () => {
    const visit = visitNow();
    const { page } = visit;
    const screen = await page.context().newCDPSession(page);
    await screen.send('Emulation.setDeviceMetricsOverride', { ...FINE_SCREEN, ...EXPLORER_VIEWPORT });
    await visit.load('?kind=series');
    await visit.findMapMiddle();
    // Checks the library's own style sheet, not only the preloaded one.
    expect(await page.evaluate(PLACE_OF_BUTTONS)).toBe('absolute');
    // With software rendering, the map has no more pixels than the page, whatever the resolution of the screen.
    expect(await page.evaluate(PIXELS_OF_A_PIXEL)).toBe(1);
    await screen.send('Emulation.clearDeviceMetricsOverride');
    await visit.pickSuggestion('heron fork near', /^Heron Fork near Heron Bend/);
    const side = visit.getPanel('Site');
    await side.locator('.plot canvas').waitFor();
    const { Organizations } = await visit.fetchAnswer(
      `v1/Sites?SiteUUID=${visit.getQueryValue('place').split('~')[1] ?? ''}`,
    );
    const [site] = Organizations[0].Sites;
    expect(visit.getQueryValue('SiteUUID')).toBe(site.SiteUUID);
    await visit.getButton(`Remove filter Site: ${site.SiteName}`).waitFor();
    // The browser itself follows the link and sends the key as a user name.
    await page.context().setHTTPCredentials({ username: host().key, password: '' });
    const opened = page.context().waitForEvent('page');
    await side.getByRole('link', { name: 'Open full page' }).click();
    const own = await opened;
    await own.getByRole('heading', { level: 1, name: site.SiteName }).waitFor();
    await own.close();
    await page.context().setHTTPCredentials(null);
    await page.keyboard.press('Escape');
    await side.waitFor({ state: 'detached' });
    await tabToElement(page, 'Map');
    await visit.findMapMiddle();
    await page.keyboard.press('Enter');
    await side.getByText('All fields').click();
    await side.getByText(site.SiteUUID).first().waitFor();
    await page.keyboard.press('Escape');
    const before = visit.getQueryValue('at');
    await page.locator('.map canvas').press('ArrowRight');
    await expect(page.waitForURL((url) => url.searchParams.get('at') !== before)).resolves.toBeUndefined();
  });
}

const FINE_SCREEN = { deviceScaleFactor: 2, mobile: false };

const PLACE_OF_BUTTONS = `getComputedStyle(document.querySelector('.maplibregl-ctrl-top-right')).position`;

const PIXELS_OF_A_PIXEL = `(({ width, clientWidth }) => width / clientWidth)(document.querySelector('.map canvas'))`;

/** The number of colors on the printed map. One color means that the picture was lost. */
const COLOURS_ON_PAPER = `(() => {
  const canvas = document.querySelector('.map > canvas.printed');
  const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
  return new Set(new Uint32Array(data.buffer)).size;
})()`;
