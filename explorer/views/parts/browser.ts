// Browser functions that several views use.

import type { ExplorerState } from '../../state/state';
import { writeAddress } from '../../state/address';

/** The whole address that gives the same picture to somebody else. */
export function buildPageUrl(state: ExplorerState): string {
  const query = writeAddress(state);
  return `${location.origin}${location.pathname}${query === '' ? '' : `?${query}`}`;
}

/** Calls back whenever the target has such an event; returns how to stop that. */
export function listen(target: EventTarget, event: string, callback: () => void): () => void {
  target.addEventListener(event, callback);
  return () => target.removeEventListener(event, callback);
}

/** Calls back at first and whenever the element has another size; returns how to stop that. */
export function observeSize(element: HTMLElement | null, callback: (element: HTMLElement) => void): () => void {
  if (element === null) return () => undefined;
  const observer = new ResizeObserver(() => callback(element));
  observer.observe(element);
  return () => observer.disconnect();
}

/** Offers a file to be saved, without an address that anybody else could open. */
export function saveFile(name: string, content: Blob): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(content);
  link.download = name;
  link.click();
  // The browser has taken the content over when it has begun to save.
  setTimeout(() => URL.revokeObjectURL(link.href), REVOKE_AFTER_MS);
}

const REVOKE_AFTER_MS = 60_000;
