// The brief of a county: what it shows, and what it prints. A part of tests/host/browser.test.ts.

import { findAccessibilityViolations } from '../../fixtures/browser';
import type { BrowserSuite } from './suite';

export function testBrief({ visit: visitNow, host, pageAt }: BrowserSuite): void {
  test('the brief of a county has the figures of the service, fits a narrow screen, and prints no buttons', async () => {
    const area = 'SearchBoundary=county:CO/Fremont';
    const page = await pageAt(`/explore/brief?${area}#key=${host().key}`, {
      viewport: { width: 320, height: 600 },
      colorScheme: 'dark',
    });
    await page.getByRole('heading', { name: 'Fremont County, Colorado' }).waitFor();
    const all = page.getByRole('table', { name: 'Water rights by use category' }).getByRole('row', { name: /^All/ });
    await all.waitFor();
    const { Totals } = await visitNow().fetchAnswer(`v1/SiteAllocationAmounts/Totals?${area}`);
    expect(await all.getByRole('cell').first().innerText()).toBe(
      Number(Totals[0].RecordsCount).toLocaleString('en-US'),
    );
    expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0);
    expect(await findAccessibilityViolations(page)).toEqual([]);
    const link = page.getByRole('link', { name: 'Water rights in the explorer' });
    expect(await link.getAttribute('href')).toBe('/explore?SearchGeometry=county:CO%2FFremont');
    await page.emulateMedia({ media: 'print' });
    await page.getByRole('combobox').waitFor({ state: 'hidden' });
    expect(await page.getByRole('button').count()).toBe(0);
  });
}
