// Fetches recent publications from the feed of the service (D59).

import { getKind, type Kind, KINDS } from '../state/kinds';
import type { ServiceClient } from './client';
import type { Reply } from './reply';

/** A publication after a data version that is still held (D59). */
export interface Publication {
  readonly title: string;
  readonly moment: string;
  /** The number of records, and how many were added, removed and changed. */
  readonly summary: string;
  /** The data version before the publication. */
  readonly previousVersion: string;
  /** The kind of its records; undefined if this page does not show them. */
  readonly kind: Kind | undefined;
}

/** The newest first. The very first publication has no previous version and is left out. */
export function fetchPublications(client: ServiceClient): Promise<Reply<readonly Publication[]>> {
  return client.request('releases.atom', {}, async (response) => parseFeed(await response.text()));
}

/** Regular expressions suffice because the service writes the feed. XML parsers exist only in browsers. */
function parseFeed(feed: string): readonly Publication[] {
  return [...feed.matchAll(/<entry>(.*?)<\/entry>/gs)].flatMap(([, entry = '']): readonly Publication[] => {
    const readElement = (name: string): string =>
      decodeCharacters(new RegExp(`<${name}>(.*?)</${name}>`, 's').exec(entry)?.[1]);
    const address = decodeCharacters(/title="What changed" href="([^"]*)"/.exec(entry)?.[1]);
    const [path = '', query] = address.split('?', 2);
    const previousVersion = new URLSearchParams(query).get('ChangedSince');
    const kind = KINDS.find((one) => path.endsWith(`/${getKind(one).route}`));
    if (previousVersion === null) return [];
    return [
      {
        title: readElement('title'),
        moment: readElement('updated'),
        summary: readElement('summary'),
        previousVersion,
        kind,
      },
    ];
  });
}

/** The service writes reserved XML characters as numeric references. */
function decodeCharacters(encoded = ''): string {
  return encoded.replaceAll(/&#(\d+);/g, (_, code: string) => String.fromCharCode(Number(code)));
}
