// Changes since a previous version of the data: a part of tests/host/browser.test.ts. It runs last, because it
// publishes other data.

import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PROJECT, runProgram } from '../../fixtures/host-process';
import type { BrowserSuite } from './suite';

export function testChanges({ data, visit: visitNow }: BrowserSuite): void {
  test('changes since a previous version are on the map and in lists, as the service reports them', async () => {
    const visit = visitNow();
    const { DataVersion: before } = await visit.fetchAnswer('v1/Inventory');
    expect((await runProgram('load', [changedRights(data)], { WATER_DATA_DIR: data })).code).toBe(0);
    await visit.load('?view=map');
    const { page } = visit;
    const tiles: string[] = [];
    page.on('request', (request) => tiles.push(request.url()));
    await visit.getButton('Recent updates').click();
    const newest = page.locator('.versions > li').first();
    await newest.getByText(/0 added, 1 removed, 1 changed/).waitFor();
    await newest.getByRole('button', { name: /^Sample Water Agency of Colorado: / }).click();
    await visit.getButton(/^Remove filter Changed since: [A-Z]/).waitFor();
    await page.getByRole('heading', { name: 'Removed' }).waitFor();
    expect(visit.getQueryValue('ChangedSince')).toBe(before);
    const { TotalCount } = await visit.fetchAnswer(`v1/SiteAllocationAmounts/Facets?ChangedSince=${before}`);
    expect(TotalCount).toBe(1);
    await visit.waitForTotal(TotalCount);
    const { TotalRemovedCount, Removed } = await visit.fetchAnswer(`v1/SiteAllocationAmounts/Removed?Since=${before}`);
    expect(TotalRemovedCount).toBe(61);
    const removed = page.locator('.removed li');
    await removed.filter({ hasText: 'SAMPLE_CO · CO-0240' }).waitFor();
    expect(await removed.count()).toBe(Removed.length);
    await visit.findMapMiddle();
    expect(tiles.some((address) => address.includes(`ChangedSince=${before}`))).toBe(true);
    await visit.getButton('Table').click();
    await visit.getButton('CO-0001').waitFor();
    expect(await page.locator('.rows tbody button').count()).toBe(TotalCount);
  });
}

/**
 * The sample of Colorado with one right changed and one right removed. The rights of Wyoming disappear with the other
 * samples.
 */
function changedRights(data: string): string {
  const folder = join(data, '..', 'changed-rights');
  cpSync(join(PROJECT, 'data-loaders', 'samples', 'colorado-allocations'), folder, { recursive: true });
  const file = join(folder, 'waterallocations.csv');
  const lines = readFileSync(file, 'utf8').trimEnd().split('\n');
  const changed = lines
    .slice(0, -1)
    .map((line) => (line.startsWith('CO-0001,') ? line.replace('Absolute', 'Conditional') : line));
  writeFileSync(file, `${changed.join('\n')}\n`);
  return folder;
}
