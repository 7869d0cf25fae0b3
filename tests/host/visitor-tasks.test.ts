// Tasks of visitors on the real submissions, each on a phone or by keyboard on a large screen. The soak runs all ten on
// both screens and by mouse on a laptop. Every figure on the page is compared with the service's answer. If PICTURES
// names a folder, a screenshot of each task is written there.

import { join } from 'node:path';
import process from 'node:process';
import { gzipSync } from 'node:zlib';
import type { Browser, Locator } from 'playwright-core';
import { describeInBrowser, findAccessibilityViolations, launchBrowser } from '../fixtures/browser';
import { ExplorerVisit } from '../fixtures/explorer-visit';
import { type RunningHost, runProgram, startHost } from '../fixtures/host-process';
import { REAL_DATA, realSubmissions } from '../fixtures/real-submissions';
import { isSoak } from '../fixtures/soak';
import { createTemporaryFolder } from '../fixtures/temporary-folder';

const settings = { WATER_DATA_DIR: join(createTemporaryFolder(), 'data') };

const PICTURES = process.env['PICTURES'] ?? '';

interface Setting {
  readonly name: string;
  readonly width: number;
  readonly height: number;
  readonly colorScheme: 'light' | 'dark';
  readonly isByKeyboard: boolean;
}

/** Whether every task runs on every screen. */
const isWhole = isSoak || PICTURES !== '';

/** WebGL in software draws every pixel on a processor, so the large screen is smaller unless screenshots are taken. */
const SETTINGS: readonly Setting[] = [
  { name: 'phone', width: 360, height: 740, colorScheme: 'dark', isByKeyboard: false },
  {
    name: 'large',
    width: isWhole ? 1920 : 1280,
    height: isWhole ? 1080 : 480,
    colorScheme: isWhole ? 'dark' : 'light',
    isByKeyboard: true,
  },
  ...(isWhole
    ? [{ name: 'laptop', width: 1280, height: 800, colorScheme: 'light', isByKeyboard: false } as const]
    : []),
];

const number = (value: number): string => value.toLocaleString('en-US', { maximumFractionDigits: 15 });

/** Rounded as in legends. */
const rounded = (value: number): string =>
  value.toLocaleString('en-US', { maximumFractionDigits: Math.abs(value) >= 1000 ? 0 : 3 });

type Row = Readonly<Record<string, string | number | null>>;

class Visitor extends ExplorerVisit {
  setting: Setting = { name: '', width: 0, height: 0, colorScheme: 'light', isByKeyboard: false };

  /** Presses a button with the pointer or the keyboard. */
  async press(button: Locator): Promise<void> {
    if (this.setting.isByKeyboard) await button.press('Enter');
    else await button.click();
  }

  async choose(name: RegExp): Promise<void> {
    const box = this.page.getByRole('checkbox', { name });
    await this.inFilters(() => (this.setting.isByKeyboard ? box.press('Space') : box.check()));
  }

  async writeFilter(name: string, text: string): Promise<void> {
    const field = this.page.getByLabel(name, { exact: true });
    await this.inFilters(async () => {
      await field.fill(text);
      await field.press('Enter');
    });
  }

  /** On a phone, the filters are in a sheet that opens and closes. */
  private async inFilters(act: () => Promise<void>): Promise<void> {
    const opener = this.page.getByRole('button', { name: /^Filters/ });
    if (await opener.isVisible()) await opener.click();
    await act();
    if (await opener.isVisible()) await opener.click();
  }

  async rows(path: string): Promise<readonly Row[]> {
    return (await this.fetchAnswer(path)).Totals;
  }
}

const RIGHTS = 'v1/SiteAllocationAmounts';

/** Each task fails if a figure differs from the service's answer. */
const TASKS: Readonly<Record<string, (visit: Visitor) => Promise<void>>> = {
  'how many water rights lie in a county': async (visit) => {
    await visit.open('');
    const { TotalWaterAllocationsCount: count } = await visit.fetchAnswer(`${RIGHTS}?SearchGeometry=county:OK/Caddo`);
    await visit.pickSuggestion('cadd', new RegExp(`^Caddo County, OK *${number(count)} water rights`));
    await visit.waitForTotal(count);
    await visit.page.getByText(/^Updated [A-Z][a-z]{2} \d+, \d{4}$/).waitFor();
    await visit.findMapMiddle();
  },
  'who has the most senior of them': async (visit) => {
    await visit.open('?view=table');
    await visit.press(visit.page.locator('th button').filter({ hasText: 'Priority date' }));
    const { Organizations } = await visit.fetchAnswer(`${RIGHTS}?OrderBy=AllocationPriorityDate&RecordCount=1`);
    const [right] = Organizations[0].WaterAllocations;
    const first = visit.page.locator('.rows tbody tr[aria-rowindex="2"]');
    await first.getByText(right.AllocationPriorityDate.slice(0, 10), { exact: true }).waitFor();
    await visit.press(first.getByRole('button'));
    await visit
      .getPanel('Record 1')
      .getByRole('heading', { name: `Water right ${right.AllocationNativeID}` })
      .waitFor();
  },
  'what water is used for, decade by decade': async (visit) => {
    await visit.open('?view=chart');
    await visit.waitForChart();
    const rows = await visit.rows(`${RIGHTS}/Totals?GroupBy=PriorityDecade&GroupBy=UseCategoryCV&CountOnce=true`);
    const counts = rows.filter((row) => row['PriorityDecade'] !== null && row['UseCategoryCV'] === 'Irrigation');
    const sum = counts.reduce((all, row) => all + Number(row['RecordsCount']), 0);
    const entry = visit.page.locator('.legend li').filter({ hasText: 'Irrigation' });
    expect(await entry.locator('.count').innerText()).toBe(rounded(sum));
    await visit.page.locator('.plot').press('ArrowRight');
    const [first] = counts.toSorted((a, b) => Number(a['PriorityDecade']) - Number(b['PriorityDecade']));
    const said = visit.page.getByRole('status').filter({ hasText: `${first?.['PriorityDecade'] ?? ''}, rights: ` });
    expect(await said.innerText()).toContain(`Irrigation ${rounded(Number(first?.['RecordsCount']))}`);
  },
  'how much one right may take': async (visit) => {
    const { Organizations } = await visit.fetchAnswer(`${RIGHTS}?MinimumVolume=1&RecordCount=1`);
    const [right] = Organizations[0].WaterAllocations;
    await visit.open('');
    await visit.pickSuggestion(right.AllocationNativeID, new RegExp(`^Water right ${right.AllocationNativeID}`));
    const side = visit.getPanel('Water right');
    const volume = side.locator('.key-facts > div').filter({ hasText: 'Volume' });
    expect(await volume.locator('dd').innerText()).toBe(`${number(right.AllocationVolume_AF)} AF`);
    expect(await side.getByRole('heading').first().innerText()).toBe(`Water right ${right.AllocationNativeID}`);
    await visit.findMapMiddle();
  },
  'what one well delivered over the years': async (visit) => {
    const { Organizations } = await visit.fetchAnswer('v1/Sites?RecordCount=1&OrganizationUUID=UTss_O1');
    const [site] = Organizations[0].Sites;
    await visit.open('?kind=series');
    await visit.pickSuggestion(site.SiteUUID, new RegExp(`^${site.SiteName.slice(0, 8)}`));
    const side = visit.getPanel('Site');
    await side.locator('.plot canvas').waitFor();
    const { TotalSiteVariableAmountsCount: count } = await visit.fetchAnswer(
      `v1/SiteVariableAmounts?SiteUUID=${site.SiteUUID}&RecordCount=1`,
    );
    await visit.waitForTotal(count);
    expect(await side.getByRole('heading').first().innerText()).toBe(site.SiteName);
  },
  'which counties withdraw most, in which year': async (visit) => {
    await visit.open('?kind=aggregates&State=NM&year=2010');
    const years = await visit.rows('v1/AggregatedAmounts/Totals?State=NM&GroupBy=Year&VariableCV=Withdrawal');
    const [newest = ''] = years
      .flatMap(({ Year }) => Year ?? [])
      .toSorted()
      .toReversed();
    await visit.open(`?kind=aggregates&State=NM&year=${newest}`);
    const rows = await visit.rows(
      `v1/AggregatedAmounts/Totals?State=NM&GroupBy=ReportingUnitUUID&GroupBy=Year&VariableCV=Withdrawal`,
    );
    const sums = rows.flatMap(({ Sum }) => Sum ?? []).map(Number);
    const legend = visit.page.locator('.map-legend');
    await visit.findMapMiddle();
    if (visit.setting.width < 768) await legend.locator('summary').click();
    const texts = await legend.locator('li').allInnerTexts();
    if (visit.setting.width < 768) await legend.locator('summary').click();
    expect(texts.join(' ')).toContain(Math.round(Math.max(...sums)).toLocaleString('en-US'));
    const [most] = rows
      .filter(({ Year }) => Year === newest)
      .toSorted((a, b) => Number(b['Sum'] ?? 0) - Number(a['Sum'] ?? 0));
    await visit.open(`?kind=aggregates&State=NM&year=${newest}&place=NMOSE~${most?.['ReportingUnitUUID'] ?? ''}`);
    const sum = Number(most?.['Sum']).toLocaleString('en-US', { maximumFractionDigits: 1 });
    await visit.getPanel('Reporting unit').getByText(`${sum} AF`, { exact: true }).waitFor();
    await visit.findMapMiddle();
  },
  'how that went on, year by year': async (visit) => {
    await visit.open('?kind=aggregates&State=NM');
    await visit.findMapMiddle();
    const tools = visit.page.locator('.map-tools summary');
    if (await tools.isVisible()) await tools.click();
    const years = (await visit.rows('v1/AggregatedAmounts/Totals?State=NM&GroupBy=Year'))
      .flatMap(({ Year }) => Year ?? [])
      .map(String);
    await visit.press(visit.getButton('Play'));
    await visit.page.waitForURL(new RegExp(`year=${[...new Set(years)].sort()[1] ?? ''}`));
    await visit.press(visit.getButton('Stop'));
    await visit.page.getByLabel('Classes').selectOption({ label: 'logarithmic' });
    await visit.page.waitForURL(/scale=log/);
  },
  'what changed with the last publish': async (visit) => {
    await visit.open('?kind=aggregates&view=table');
    await visit.press(visit.getButton('Recent updates'));
    const { FormerDataVersions } = await visit.fetchAnswer('v1/Inventory');
    const since = FormerDataVersions[0].DataVersion;
    await visit.press(visit.page.locator('.versions button').first());
    await visit.page.waitForURL(new RegExp(`ChangedSince=${since}`));
    const { TotalCount } = await visit.fetchAnswer(`v1/AggregatedAmounts/Facets?ChangedSince=${since}`);
    await visit.waitForTotal(TotalCount);
  },
  'all of it as a file, with its size before': async (visit) => {
    await visit.open('?view=table&open=take&UseCategoryCV=Irrigation');
    const side = visit.getPanel('Download');
    await side.getByRole('button', { name: /^Parquet.*about/ }).waitFor();
    const button = side.getByRole('button', { name: /^CSV.*about/ });
    const [, size = '', unit = ''] = /about ([\d.]+) (KB|MB)/.exec(await button.innerText()) ?? [];
    const downloading = visit.page.waitForEvent('download');
    await visit.press(button);
    const download = await downloading;
    expect(download.suggestedFilename()).toMatch(/^WaterAllocations_Irrigation_[0-9a-f]{8}\.csv$/);
    const chunks: Buffer[] = [];
    for await (const chunk of await download.createReadStream()) chunks.push(chunk as Buffer);
    // The estimate is for the transferred, compressed bytes, and for rights of average length.
    const { length: bytes } = gzipSync(Buffer.concat(chunks));
    const said = Number(size) * (unit === 'KB' ? 1e3 : 1e6);
    expect(Math.abs(said / bytes - 1)).toBeLessThan(0.5);
    await side
      .getByText(/Data version [0-9a-f]{32}/)
      .first()
      .waitFor();
  },
  'why nothing is found': async (visit) => {
    await visit.open('?view=table');
    await visit.choose(/^Caddo/);
    await visit.writeFilter('Priority date to', '1700');
    const { TotalCount } = await visit.fetchAnswer(`${RIGHTS}/Facets?County=Caddo`);
    await visit.press(visit.getButton(`without “Priority date to” ${number(TotalCount)} water rights`));
    await visit.waitForTotal(TotalCount);
  },
};

/** Tasks that tests/host/browser.test.ts also covers run only in the soak. */
const OF_THE_SOAK = [
  'how many water rights lie in a county',
  'what changed with the last publish',
  'all of it as a file, with its size before',
  'why nothing is found',
];

const tasks = Object.keys(TASKS).filter((task) => isWhole || !OF_THE_SOAK.includes(task));

describeInBrowser(() => {
  let host: RunningHost;
  let browser: Browser;
  const visits = new Map<string, Visitor>();

  beforeAll(async () => {
    const launching = launchBrowser();
    for (const { folder } of realSubmissions) await runProgram('load', [join(REAL_DATA, folder)], settings);
    [host, browser] = await Promise.all([startHost(settings), launching]);
    for (const setting of SETTINGS) {
      const { width, height, colorScheme } = setting;
      const context = await browser.newContext({ viewport: { width, height }, colorScheme, reducedMotion: 'reduce' });
      const visit = new Visitor(await context.newPage(), `http://127.0.0.1:${host.port}/`, host.key);
      visit.setting = setting;
      visits.set(setting.name, visit);
    }
  });

  afterAll(async () => {
    await browser.close();
    await host.stop();
  });

  const getVisit = (name: string): Visitor => {
    const visit = visits.get(name);
    if (visit === undefined) throw new Error(`nobody visits on a ${name}`);
    return visit;
  };

  describe.each(SETTINGS)('on a $name of $width pixels, $colorScheme', ({ name, width, height }) => {
    const isHere = (_: string, at: number): boolean => isWhole || SETTINGS[at % SETTINGS.length]?.name === name;
    test.each(tasks.filter(isHere))('a visitor finds %s', async (task) => {
      const visit = getVisit(name);
      await TASKS[task]?.(visit);
      expect(await visit.page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0);
      if (PICTURES !== '') {
        const file = `task-${Object.keys(TASKS).indexOf(task) + 1}-${name}.jpeg`;
        await visit.page.screenshot({ path: join(PICTURES, file), type: 'jpeg', quality: 60 });
      }
      expect(visit.complaints.splice(0)).toEqual([]);
    });

    // tests/host/browser/access.ts checks other views and widths.
    const testHere = isWhole || name === 'phone' ? test : undefined;
    testHere?.('nothing keeps people out, and on a phone the map has four fifths of the screen', async () => {
      const visit = getVisit(name);
      await visit.open('');
      await visit.findMapMiddle();
      expect(await findAccessibilityViolations(visit.page)).toEqual([]);
      const box = await visit.page.locator('.map').boundingBox();
      if (width < 768) expect(box?.height ?? 0).toBeGreaterThanOrEqual(0.8 * height);
    });
  });
});
