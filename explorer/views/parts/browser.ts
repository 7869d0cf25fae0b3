// Browser functions that several views use.

import { type BrowserKeys, KEY_NAME } from '../../session/tab-key';
import { writeAddress } from '../../state/address';
import type { ExplorerState } from '../../state/state';

/** The full address, which shows the same page to anyone with a key. */
export function buildPageUrl(state: ExplorerState): string {
  const query = writeAddress(state);
  return `${location.origin}${location.pathname}${query === '' ? '' : `?${query}`}`;
}

/** Stores the key from `#key=`, as `npm start` prints it, for this tab, and removes it from the address (D54). */
export function storeKeyFromAddress(): string | undefined {
  const [, key] = /^#key=(.+)$/.exec(location.hash) ?? [];
  if (key === undefined) return undefined;
  history.replaceState(null, '', `${location.pathname}${location.search}`);
  sessionStorage.setItem(KEY_NAME, key);
  return key;
}

/** The storage name of the key of this browser, shared with shared/http/pages/files/browser-key.mjs. */
const BROWSER_KEY_NAME = 'water-data-browser-key';

interface BrowserKeyModule {
  readonly getBrowserKey: (base: string, options: { readonly isNew: boolean }) => Promise<string>;
}

/** Provides keys for this browser (D56). The script at the address `program` gets them, as on other pages. */
export function createBrowserKeys(program: string, base: string): BrowserKeys {
  return {
    isOwn: (key) => key !== '' && localStorage.getItem(BROWSER_KEY_NAME) === key,
    request: async (isNew) => {
      const { getBrowserKey } = (await import(program)) as BrowserKeyModule;
      return getBrowserKey(base, { isNew });
    },
  };
}

/** Adds an event listener. Returns a function that removes it. */
export function listen(target: EventTarget, event: string, callback: () => void): () => void {
  target.addEventListener(event, callback);
  return () => target.removeEventListener(event, callback);
}

/** Calls back initially and on each change of size. Returns a function that stops this. */
export function observeSize(element: HTMLElement | null, callback: (element: HTMLElement) => void): () => void {
  if (element === null) return () => undefined;
  const observer = new ResizeObserver(() => callback(element));
  observer.observe(element);
  return () => observer.disconnect();
}

/** Saves a file. Its address exists only in this browser. */
export function saveFile(name: string, content: Blob): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(content);
  link.download = name;
  link.click();
  // Once saving has begun, the browser keeps the content.
  setTimeout(() => URL.revokeObjectURL(link.href), REVOKE_AFTER_MS);
}

const REVOKE_AFTER_MS = 60_000;
