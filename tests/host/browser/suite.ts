// The environment that the parts of tests/host/browser.test.ts share.

import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import type { ExplorerVisit } from '../../fixtures/explorer-visit';
import type { RunningHost } from '../../fixtures/host-process';

export interface BrowserSuite {
  /** The folder of the service's data: initially, the samples with their files. */
  readonly data: string;
  readonly host: () => RunningHost;
  readonly browser: () => Browser;
  /** The visit for all tests that do not need a new profile. */
  readonly visit: () => ExplorerVisit;
  /** A visit in a new profile. */
  readonly newVisit: () => Promise<ExplorerVisit>;
  /** A page in a new profile. Its complaints also fail the test. */
  readonly pageAt: (path: string, options?: BrowserContextOptions) => Promise<Page>;
}
