// Accessibility: keyboard, screen reader, color schemes and small screens. A part of tests/host/browser.test.ts.

import { COLORS_ONLY, findAccessibilityViolations } from '../../fixtures/browser';
import { EXPLORER_VIEWPORT, tabToElement } from '../../fixtures/explorer-visit';
import type { BrowserSuite } from './suite';

export function testAccess({ visit: visitNow }: BrowserSuite): void {
  test('with only the keyboard, one can filter, change the view, and open and close a record', async () => {
    const visit = visitNow();
    await visit.load('?view=chart');
    const { page } = visit;
    await page.keyboard.press('Tab');
    expect(await page.evaluate('document.activeElement.textContent')).toBe('Skip to content');
    await tabToElement(page, 'Table');
    await page.keyboard.press('Enter');
    await tabToElement(page, 'Colorado');
    await page.keyboard.press('Space');
    await visit.waitForTotal(240);
    await tabToElement(page, 'CO-0001');
    await page.keyboard.press('Enter');
    const record = visit.getPanel('Record 1');
    await record.waitFor();
    await page.keyboard.press('Escape');
    await record.waitFor({ state: 'detached' });
    expect(await page.evaluate('document.activeElement.textContent')).toBe('CO-0001');
  });

  test.each([
    ['?view=table&State=CO&record=0', '.side'],
    ['?view=chart&stack=BeneficialUseCV', '.plot canvas'],
    ['?kind=series&view=chart&chart=sites&site=SAMPLE_UT_S1&open=take', '.side'],
    ['?kind=series&place=SAMPLE_UT~SAMPLE_UT_S29', '.map[aria-busy="false"]'],
  ])('%s is accessible in light and dark colors, and fits a narrow screen', async (query, shown) => {
    const visit = visitNow();
    const { page } = visit;
    await page.emulateMedia({ colorScheme: 'dark' });
    await page.setViewportSize({ width: 320, height: 600 });
    await visit.open(query);
    await page.locator(shown).first().waitFor();
    expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0);
    expect(await findAccessibilityViolations(page)).toEqual([]);
    await page.emulateMedia({ colorScheme: 'light' });
    await page.setViewportSize(EXPLORER_VIEWPORT);
    expect(await findAccessibilityViolations(page, COLORS_ONLY)).toEqual([]);
  });
}
