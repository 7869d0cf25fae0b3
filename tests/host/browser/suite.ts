// What the parts of tests/host/browser.test.ts share.

import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import type { ExplorerVisit } from '../../fixtures/explorer-visit';
import type { RunningHost } from '../../fixtures/host-process';

export interface BrowserSuite {
  /** The folder of the service's data: the samples at first, with their files. */
  readonly data: string;
  readonly host: () => RunningHost;
  readonly browser: () => Browser;
  /** The visit of all tests that need no profile of their own. */
  readonly visit: () => ExplorerVisit;
  /** In a fresh profile. */
  readonly newVisit: () => Promise<ExplorerVisit>;
  /** A page in a fresh profile, whose complaints fail the test too. */
  readonly pageAt: (path: string, options?: BrowserContextOptions) => Promise<Page>;
}
