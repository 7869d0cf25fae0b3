// The page of a brief: the figures for one county or watershed, or the reason why there are none. On the screen it
// starts with a search box and links; they are not printed.

import type { VNode } from 'preact';
import { useEffect } from 'preact/hooks';
import type { Brief } from '../requests/brief';
import { findSuggestedArea, type Suggestion } from '../requests/find';
import { describeTrouble, type Trouble } from '../requests/reply';
import type { BriefSession } from '../session/brief-session';
import { INITIAL_STATE, writeAddress } from '../state/address';
import { type BriefArea, toAreaFilters } from '../state/brief-area';
import { getKind, type Kind } from '../state/kinds';
import { EndedBrowserKeyNotice, GettingKeyNotice } from '../views/access-notice';
import { FindBox } from '../views/parts/find-box';
import { KeyForm } from '../views/parts/key-form';
import { formatArea } from './area-texts';
import { BriefContent } from './brief-content';
import { OpenContent } from './open-content';

export interface BriefProps {
  readonly session: BriefSession;
}

export function BriefPage({ session }: BriefProps): VNode {
  const { area } = session.address.value;
  const name = (session.brief.fresh ?? session.openBrief.fresh)?.outline.name;
  const title = area === undefined ? 'County or watershed brief' : formatArea(area, name);
  useEffect(() => {
    document.title = `${title} – Water Data Query Service`;
  }, [title]);
  return (
    <article class="brief">
      <Tools session={session} />
      <header class="brief-head">
        <p class="soft">{describeType(area)}</p>
        <h1>{title}</h1>
      </header>
      <AddressNotice session={session} />
      <AnswerNotice session={session} />
      <LoadedBrief session={session} />
    </article>
  );
}

function describeType(area: BriefArea | undefined): string {
  if (area === undefined) return 'Water data on one page, to read or print';
  return area.type === 'county' ? 'County brief' : 'Watershed brief';
}

/** Search, and links to the same area in the explorer. Not printed. */
function Tools({ session }: BriefProps): VNode {
  const { area, version } = session.address.value;
  const brief = session.brief.fresh;
  return (
    <div class="brief-tools">
      <FindBox
        session={session}
        label="Search for a county or watershed"
        kinds={['County', 'HUC8']}
        onChoose={(found) => showSuggestion(session, found)}
      />
      {area !== undefined && (
        <p class="links">
          {listKinds(brief).map((kind) => (
            <a key={kind} href={buildExplorerUrl(session, area, { kind, version })}>
              {getKind(kind).label} in the explorer
            </a>
          ))}
          {brief !== undefined && (
            <button type="button" onClick={() => print()}>
              Print
            </button>
          )}
        </p>
      )}
    </div>
  );
}

function showSuggestion(session: BriefSession, found: Suggestion): void {
  const area = findSuggestedArea(found);
  if (area !== undefined) session.showArea(area);
}

/** The kinds of records that the area has. */
function listKinds(brief: Brief | undefined): readonly Kind[] {
  const kinds: readonly (Kind | false)[] = [
    brief?.rights !== undefined && 'rights',
    brief?.sites !== undefined && 'series',
    brief?.units !== undefined && 'aggregates',
  ];
  const published = kinds.filter((kind) => kind !== false);
  return published.length === 0 ? ['rights'] : published;
}

function buildExplorerUrl(
  { client }: BriefSession,
  area: BriefArea,
  { kind, version }: { readonly kind: Kind; readonly version: string },
): string {
  const filters = toAreaFilters(area, getKind(kind).boundary, version);
  return `${client.base}/explore?${writeAddress({ ...INITIAL_STATE, kind, filters })}`;
}

/** Explains which part of the address is missing or unknown. */
function AddressNotice({ session }: BriefProps): VNode | null {
  const { area, text, unread } = session.address.value;
  return (
    <>
      {area === undefined && (
        <p class="notice" role={text === '' && unread.length === 0 ? undefined : 'alert'}>
          {text !== '' && `A brief is about one county or watershed, and “${text.slice(0, 100)}” is neither. `}
          {unread.length > 0 && `This part of the address is not recognized: ${unread.join(', ')}. `}
          Search for a county or an eight-digit watershed (HUC8) above. An address ends with{' '}
          <code>?SearchBoundary=county:UT/Cache</code> or <code>?SearchBoundary=huc8:16010202</code>.
        </p>
      )}
      {area !== undefined && unread.length > 0 && (
        <p class="notice" role="alert">
          A brief has no other filters, so this part of the address is not applied: {unread.join(', ')}. Use the
          explorer to filter the records of the area.
        </p>
      )}
    </>
  );
}

/** Explains why there are no figures yet. */
function AnswerNotice({ session }: BriefProps): VNode | null {
  const { area } = session.address.value;
  const { trouble, isLoading, isSlow } = session.brief.state.value;
  const shown: Trouble | undefined = session.hasKey.value ? trouble : { kind: 'key', fault: 'missing' };
  if (area === undefined) return shown?.kind === 'key' ? <TroubleNotice session={session} trouble={shown} /> : null;
  if (shown !== undefined) return <TroubleNotice session={session} trouble={shown} />;
  if (!isLoading || session.brief.fresh !== undefined) return null;
  return (
    <p class="soft" role="status">
      Loading figures for {formatArea(area)} …{isSlow && ' This takes longer than usual.'}
    </p>
  );
}

function TroubleNotice({ session, trouble }: BriefProps & { readonly trouble: Trouble }): VNode {
  const { area, version } = session.address.value;
  if (session.isGettingKey.value) return <GettingKeyNotice />;
  if (trouble.kind === 'key' && session.usesBrowserKey) return <EndedBrowserKeyNotice session={session} />;
  return (
    <div class="notice" role="alert">
      <p>
        {describeBriefTrouble(trouble)}{' '}
        {trouble.kind !== 'key' && trouble.kind !== 'refused' && trouble.kind !== 'gone' && (
          <button type="button" class="quiet" onClick={() => session.retry()}>
            Try again
          </button>
        )}
        {trouble.kind === 'gone' && version !== '' && area !== undefined && (
          <button type="button" onClick={() => session.showArea(area)}>
            Show current data
          </button>
        )}
      </p>
      {trouble.kind === 'key' && <KeyForm session={session} />}
    </div>
  );
}

/** Uses the explorer's messages, except for two that do not fit a brief. */
function describeBriefTrouble(trouble: Trouble): string {
  if (trouble.kind === 'gone') return 'The data version in this address is no longer available.';
  if (trouble.kind === 'key' && trouble.fault === 'missing') return 'Enter your access key to see all figures.';
  return describeTrouble(trouble);
}

function LoadedBrief({ session }: BriefProps): VNode | null {
  const brief = session.brief.fresh;
  if (brief !== undefined) return <BriefContent brief={brief} client={session.client} />;
  const openBrief = session.openBrief.fresh;
  return openBrief === undefined ? null : <OpenContent brief={openBrief} />;
}
