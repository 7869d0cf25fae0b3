// What keeps the explorer from its answers, and a browser without WebGL: parts of tests/host/browser.test.ts.

import { launchBrowser } from '../../fixtures/browser';
import type { BrowserSuite } from './suite';

export function testTroubles({ visit: visitNow, newVisit }: BrowserSuite): void {
  test('limits, a busy service and a lost network say what to do, and nothing is lost', async () => {
    const visit = visitNow();
    await visit.open('?view=table&State=WY');
    const { page } = visit;
    for (const [status, sentence] of [
      [429, 'has used up its allowance. The page asks again in 1 seconds; nothing is lost.'],
      [503, 'The service is busy. The page asks again in 1 seconds; nothing is lost.'],
    ] as const) {
      await page.route('**/Facets?*', (route) => route.fulfill({ status, headers: { 'Retry-After': '1' } }));
      await page.getByRole('checkbox', { name: /^CO/ }).click();
      await page.getByText(sentence).waitFor();
      await page.unrouteAll();
      await page.getByText(sentence).waitFor({ state: 'detached' });
    }
    await visit.awaitTotal(60);
    await page.route('**/Facets?*', (route) => route.abort());
    await page.getByRole('checkbox', { name: /^WY/ }).uncheck();
    await page.getByText('cannot be reached').waitFor();
    await page.unrouteAll();
    await visit.button('Try now').click();
    await visit.awaitTotal(300);
    expect(new URL(page.url()).search).toBe('?view=table');
    // These are what the test is about.
    visit.complaints.length = 0;
  });

  test('an area that is mistyped, and a service that does not answer, leave no former total beside the filters', async () => {
    const visit = visitNow();
    await visit.load('?view=chart&State=CO');
    const { page } = visit;
    const area = page.getByLabel('Area', { exact: true });
    await page.getByLabel('Kind of area').selectOption({ label: 'County' });
    await area.fill('Fremont');
    await page.keyboard.press('Enter');
    await page.getByRole('alert').getByText('SearchGeometry').waitFor();
    expect([await visit.total(), await page.locator('.plot').count()]).toEqual(['', 0]);
    expect(await page.locator('.choice .count').first().isVisible()).toBe(false);
    await page.clock.install();
    await page.route('**/v1/**', () => undefined);
    await area.fill('CO/Fremont');
    await page.keyboard.press('Enter');
    await page.getByText('Counting').waitFor();
    await page.clock.fastForward(3000);
    await page.getByText('The page is waiting').waitFor();
    await page.clock.fastForward(45_000);
    await page.getByText('has not answered in 45 seconds').waitFor();
    expect(await visit.total()).toBe('');
    await page.unrouteAll();
    await visit.button('Try now').click();
    const within = await visit.answer('v1/SiteAllocationAmounts?State=CO&SearchGeometry=county:CO/Fremont');
    await visit.awaitTotal(within.TotalWaterAllocationsCount);
    await page.clock.resume();
    // The refusal is what the test is about.
    visit.complaints.length = 0;
  });

  test('without WebGL the page says what is missing, and table, chart and filters work', async () => {
    const bare = await launchBrowser('none');
    const visit = await newVisit(bare);
    await visit.open('');
    await visit.page.getByText('it has no WebGL').waitFor();
    await visit.page.getByRole('checkbox', { name: /^CO/ }).check();
    await visit.awaitTotal(240);
    await visit.button('Table').click();
    await visit.button('CO-0001').waitFor();
    await visit.button('Chart').click();
    await visit.chartDrawn();
    await bare.close();
    expect(visit.complaints).toEqual([]);
  });
}
