// The pages in Chromium, as newcomers and visitors use them. No request may go to another host, the browser may report
// no error, no policy may be violated, and no address may contain a key. The content of the explorer is compared with
// the service's answers. One service and one browser are used for all parts, because both take longer to start than
// most tests.

import { join } from 'node:path';
import type { Browser, BrowserContext } from 'playwright-core';
import { collectComplaints, describeInBrowser, launchBrowser } from '../fixtures/browser';
import { EXPLORER_VIEWPORT, ExplorerVisit } from '../fixtures/explorer-visit';
import { type RunningHost, runProgram, startHost } from '../fixtures/host-process';
import { createTemporaryFolder } from '../fixtures/temporary-folder';
import { testAccess } from './browser/access';
import { testBrief } from './browser/brief';
import { testChanges } from './browser/changes';
import { testKeys } from './browser/keys';
import { testMap } from './browser/map';
import { testPages } from './browser/pages';
import { testSubmissions } from './browser/submit';
import type { BrowserSuite } from './browser/suite';
import { testViews } from './browser/views';

const data = join(createTemporaryFolder(), 'data');

describeInBrowser(() => {
  let host: RunningHost;
  let browser: Browser;
  let visit: ExplorerVisit;
  const complaints: string[] = [];
  const contexts: BrowserContext[] = [];

  beforeAll(async () => {
    [host, browser] = await Promise.all([startHost({ WATER_DATA_DIR: data }), launchBrowser()]);
    const makingFiles = runProgram('releases', ['files'], { WATER_DATA_DIR: data });
    visit = await suite.newVisit();
    expect((await makingFiles).code).toBe(0);
  });

  afterAll(async () => {
    await browser.close();
    await host.stop();
  });

  afterEach(async () => {
    const found = [...complaints.splice(0), ...visit.complaints.splice(0)];
    await Promise.all([visit.page.unrouteAll(), ...contexts.splice(0).map((context) => context.close())]);
    expect(found).toEqual([]);
  });

  const suite: BrowserSuite = {
    data,
    host: () => host,
    browser: () => browser,
    visit: () => visit,
    newVisit: async () => {
      const context = await browser.newContext({ viewport: EXPLORER_VIEWPORT, reducedMotion: 'reduce' });
      return new ExplorerVisit(await context.newPage(), `http://127.0.0.1:${host.port}/`, host.key);
    },
    pageAt: async (path, options = {}) => {
      const context = await browser.newContext(options);
      contexts.push(context);
      const page = await context.newPage();
      context.on('page', (opened) => {
        collectComplaints(opened, `http://127.0.0.1:${host.port}/`, complaints);
      });
      collectComplaints(page, `http://127.0.0.1:${host.port}/`, complaints);
      await page.goto(`http://127.0.0.1:${host.port}${path}`);
      return page;
    },
  };

  testPages(suite);
  testViews(suite);
  testMap(suite);
  testAccess(suite);
  testBrief(suite);
  testKeys(suite);
  testSubmissions(suite);
  // It publishes other data, so it runs last.
  testChanges(suite);
});
