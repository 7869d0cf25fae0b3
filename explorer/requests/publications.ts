// Fetches recent publications from the feed of the service (D59).

import type { ServiceClient } from './client';
import type { Reply } from './reply';

/** A data set that was published after a data version which is still held (D59). */
export interface Publication {
  readonly title: string;
  readonly moment: string;
  /** How many records there are, and how many of them are new, gone and changed. */
  readonly summary: string;
  /** The data version before it. */
  readonly previousVersion: string;
}

/** The newest first, from the feed of the service; what was published first of all has nothing before it. */
export function fetchPublications(client: ServiceClient): Promise<Reply<readonly Publication[]>> {
  return client.request('releases.atom', {}, async (response) => parseFeed(await response.text()));
}

/** The feed's form is the service's own, so it is read as text: outside of browsers there is no reader of XML. */
function parseFeed(feed: string): readonly Publication[] {
  return [...feed.matchAll(/<entry>(.*?)<\/entry>/gs)].flatMap(([, entry = '']): readonly Publication[] => {
    const readElement = (name: string): string =>
      decodeCharacters(new RegExp(`<${name}>(.*?)</${name}>`, 's').exec(entry)?.[1]);
    const address = decodeCharacters(/title="What changed" href="([^"]*)"/.exec(entry)?.[1]);
    const previousVersion = new URLSearchParams(address.slice(address.indexOf('?'))).get('ChangedSince');
    if (previousVersion === null) return [];
    return [
      { title: readElement('title'), moment: readElement('updated'), summary: readElement('summary'), previousVersion },
    ];
  });
}

/** The service writes what XML reserves by its number. */
function decodeCharacters(encoded = ''): string {
  return encoded.replaceAll(/&#(\d+);/g, (_, code: string) => String.fromCharCode(Number(code)));
}
