// Explains why the page has no answer, such as a missing key, and what to do about it.

import type { VNode } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { fetchFile } from '../requests/fetch-file';
import { describeTrouble, type Trouble } from '../requests/reply';
import type { ViewProps } from './parts/controls';
import { KeyForm, type KeyUser } from './parts/key-form';

export function TroubleNotice({ session }: ViewProps): VNode | null {
  if (session.isGettingKey.value) return <GettingKeyNotice />;
  const trouble = getTrouble(session);
  if (trouble === undefined) return null;
  if (trouble.kind === 'key' && session.usesBrowserKey) return <EndedBrowserKeyNotice session={session} />;
  return (
    <div class="notice" role="alert">
      <p>
        {introduceTrouble(session)}
        {describeTrouble(trouble)}{' '}
        {trouble.kind !== 'key' && trouble.kind !== 'refused' && (
          <button class="quiet" onClick={() => session.retry()}>
            Try again
          </button>
        )}
      </p>
      {trouble.kind === 'key' && <KeyForm session={session} />}
    </div>
  );
}

function getTrouble({ hasAccess, trouble }: ViewProps['session']): Trouble | undefined {
  return hasAccess ? trouble.value : { kind: 'key', fault: 'missing' };
}

/** Says what works without a key, or that the allowance without a key is used up. */
function introduceTrouble({ hasAccess, canShowMap, state, trouble }: ViewProps['session']): string {
  const { view, kind } = state.value;
  if (hasAccess || !canShowMap) return '';
  if (trouble.value?.kind === 'key') return 'You have reached the limit for requests without a key. ';
  if (view !== 'map' || kind === 'aggregates') return 'Only the maps of water rights and sites work without a key. ';
  return 'The map works without a key. For counts, tables, charts and downloads: ';
}

export function GettingKeyNotice(): VNode {
  return (
    <p class="notice" role="status">
      Getting access for you. This takes a few seconds …
    </p>
  );
}

interface EndedBrowserKeyProps {
  readonly session: KeyUser & Pick<ViewProps['session'], 'getBrowserKey'>;
}

/** The page requested this key automatically, so the person does not know about it. */
export function EndedBrowserKeyNotice({ session }: EndedBrowserKeyProps): VNode {
  return (
    <div class="notice" role="alert">
      <p>
        The temporary key that this page got for you no longer works. Get another, or enter your own.{' '}
        <button class="strong" onClick={() => void session.getBrowserKey(true)}>
          Get another
        </button>
      </p>
      <KeyForm session={session} />
    </div>
  );
}

/** Shown in place of a map, table or chart if there is no key. Says what a key gives access to, and how to get one. */
export function Welcome({ session }: ViewProps): VNode {
  const { base } = session.client;
  const titles = usePublishedTitles(base);
  return (
    <div class="welcome">
      <h2>Water rights, water use and streamflow on a map</h2>
      <p>
        With a free access key, you can see the published records here: on a map, in a table and in charts, with counts,
        downloads and citations. {describeKeySource(session)}
      </p>
      {titles.length > 0 && (
        <>
          <h3>Published data</h3>
          <ul>
            {titles.slice(0, MAX_TITLES).map((title) => (
              <li key={title}>{title}</li>
            ))}
          </ul>
        </>
      )}
      <p>
        <a href={`${base}/#there`}>See all published data</a>
      </p>
    </div>
  );
}

/** The maximum number of titles. The catalog for harvesters (D59) lists all of them. */
const MAX_TITLES = 12;

/** The titles of the data sets, which anyone may read. Empty until they are known. */
function usePublishedTitles(base: string): readonly string[] {
  const [titles, setTitles] = useState<readonly string[]>([]);
  useEffect(() => {
    // The page is complete without them.
    fetchFile<{ readonly dataset: readonly { readonly title: string }[] }>(`${base}/data.json`).then(
      ({ dataset }) => setTitles(dataset.map(({ title }) => title)),
      () => undefined,
    );
  }, [base]);
  return titles;
}

/** CONTACT is a mail address or the address of a page. */
function describeKeySource({ contact }: ViewProps['session']): VNode {
  if (contact === '') return <>Ask the operator of this service for a key.</>;
  const isPage = /^https?:/i.test(contact);
  return (
    <>
      Questions about keys: <a href={isPage ? contact : `mailto:${contact}`}>{contact}</a>.
    </>
  );
}
