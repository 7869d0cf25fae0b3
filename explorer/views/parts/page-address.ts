import { writeAddress } from '../../state/address';
import type { ExplorerState } from '../../state/state';

/** The whole address that gives the same picture to somebody else. */
export function addressOfPage(state: ExplorerState): string {
  const query = writeAddress(state);
  return `${location.origin}${location.pathname}${query === '' ? '' : `?${query}`}`;
}
