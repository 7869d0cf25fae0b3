// A summary of the matching records: the exact total, the filters as removable chips, and the reason if an answer is
// missing.

import type { VNode } from 'preact';
import type { Alternative } from '../requests/empty-result';
import { isComparingSites } from '../session/questions';
import type { Session } from '../session/session';
import { findBriefArea } from '../state/brief-area';
import { withFilter, withFilters, withToggledValue } from '../state/changes';
import { formatCounty } from '../state/county-names';
import { getKind } from '../state/kinds';
import { getBoundary } from '../state/map-kinds';
import type { ExplorerState } from '../state/state';
import { TroubleNotice } from './access-notice';
import { BriefLink } from './parts/brief-link';
import type { ViewProps } from './parts/controls';
import {
  findVersionTime,
  formatBoundary,
  formatDay,
  formatQuantity,
  formatTotal,
  formatValue,
  getFilterLabel,
} from './parts/texts';

export function Summary({ session }: ViewProps): VNode {
  const state = session.state.value;
  const { isLoading } = session.facets.state.value;
  const total = session.total.value;
  const inventory = session.inventory.latest;
  const isSample = inventory?.Organizations.some(({ DataSets }) => DataSets.some((one) => one.IsSample)) ?? false;
  return (
    <div class="summary">
      <p class="total">
        <strong role="status" aria-busy={isLoading}>
          {total === undefined ? '' : describeTotal(session, total)}
        </strong>
        {total === undefined && isLoading && <span class="soft">Counting …</span>}
        {isSample && <span class="note">Made-up sample data</span>}
        {total !== undefined && (
          <span class="soft version" title={`Data version ${session.facets.state.value.answer?.version ?? ''}`}>
            {describeVersion(session)}
          </span>
        )}
        <BriefLink session={session} area={findBriefArea(state.filters)} />
      </p>
      <ul class="chips" aria-label="Active filters">
        {Object.entries(state.filters)
          .filter(([name]) => !(name === 'OrganizationUUID' && hasIdentifier(state)))
          .flatMap(([name, values]) =>
            values.map((value) => <Chip key={`${name} ${value}`} session={session} name={name} value={value} />),
          )}
      </ul>
      <UnreadParametersNotice session={session} />
      <EmptyResultNotice session={session} />
      <TroubleNotice session={session} />
      {session.isSlow.value && (
        <p class="notice" role="status">
          Still loading. Gray figures are from your previous filters.
        </p>
      )}
    </div>
  );
}

/** If sites are compared, counts only their own measurements, as the chart shows them. */
function describeTotal({ state, sites }: Session, total: number): string {
  const { kind } = state.value;
  if (!isComparingSites(state.value)) return formatTotal(kind, total);
  const names = formatQuantity(state.value.chart.sites.length, 'site');
  const { fresh = [] } = sites;
  const isKnown = fresh.length > 0 && fresh.every(({ isTruncated }) => !isTruncated);
  const measurements = fresh.reduce((sum, { recordsCount }) => sum + recordsCount, 0);
  return isKnown ? `${formatTotal(kind, measurements)} at ${names}` : `${names} compared`;
}

/**
 * Filters by identifiers that an organization assigned. The organization is part of the identifier and has no separate
 * chip.
 */
const IDENTIFIERS = ['SiteUUID', 'ReportingUnitUUID', 'AllocationUUID', 'AllocationNativeID'];

function hasIdentifier({ filters }: ExplorerState): boolean {
  return filters['OrganizationUUID']?.length === 1 && IDENTIFIERS.some((name) => filters[name]?.length === 1);
}

/** Removes a value; for an identifier, also its organization. */
function removeValue(state: ExplorerState, name: string, value: string): ExplorerState {
  const removed = withToggledValue(state, name, value);
  return hasIdentifier(state) && IDENTIFIERS.includes(name) ? withFilter(removed, 'OrganizationUUID', []) : removed;
}

function Chip({ session, name, value }: ViewProps & { readonly name: string; readonly value: string }): VNode {
  const label = getFilterLabel(session.state.value.kind, name);
  const text = formatValue(session, name, value);
  // The title of a right already says that it is a right.
  const shownLabel = name === 'AllocationUUID' && text !== value ? '' : label;
  return (
    <li>
      <button
        aria-label={`Remove filter ${[shownLabel, text].filter(Boolean).join(': ')}`}
        onClick={() => session.change((state) => removeValue(state, name, value))}
      >
        <span class="soft">{shownLabel}</span> {text} <span aria-hidden="true">×</span>
      </button>
    </li>
  );
}

/**
 * Lists the parameters in the address that the page ignores, so that nobody thinks that the figures take them into
 * account.
 */
export function UnreadParametersNotice({ session }: ViewProps): VNode | null {
  const unread = session.unreadParameters.value;
  if (unread.length === 0) return null;
  const { plural } = getKind(session.state.value.kind);
  return (
    <div class="notice" role="alert">
      <p>
        This address has {unread.length === 1 ? 'a setting' : 'settings'} that this page does not support for {plural},
        so {unread.length === 1 ? 'it is' : 'they are'} not applied: {unread.join(', ')}.{' '}
        <button class="quiet" onClick={() => session.dismissUnread()}>
          Dismiss
        </button>
      </p>
    </div>
  );
}

/** Explains an empty result, and offers filters that match something. */
function EmptyResultNotice({ session }: ViewProps): VNode | null {
  const emptyResult = session.emptyResult.fresh;
  if (emptyResult === undefined) return null;
  const { countInArea, alternatives } = emptyResult;
  return (
    <div class="notice" role="status">
      <p>
        {countInArea !== undefined && describeArea(session, countInArea)}{' '}
        {introduceAlternatives(alternatives.length, countInArea)}
      </p>
      {alternatives.map((alternative) => (
        <button
          key={JSON.stringify([alternative.kind, alternative.filters])}
          onClick={() => session.change((one) => withFilters(one, alternative))}
        >
          {describeAlternative(session, alternative)} {formatTotal(alternative.kind, alternative.count)}
        </button>
      ))}
    </div>
  );
}

function introduceAlternatives(count: number, countInArea: number | undefined): string {
  if (count === 0) return 'No records match. Removing any single filter does not help.';
  return countInArea === undefined ? 'No records match all your filters. Remove one:' : 'Try one of these:';
}

function describeArea(session: Session, inArea: number): string {
  const state = session.state.value;
  const area = formatBoundary(getBoundary(state), session.watershedNames.latest);
  return inArea === 0
    ? `No ${getKind(state.kind).plural} in ${area}.`
    : `${formatTotal(state.kind, inArea)} in ${area}, but none match your other filters.`;
}

function describeAlternative(session: Session, { kind, filters, omittedFilter }: Alternative): string {
  if (omittedFilter !== undefined) return `without “${getFilterLabel(kind, omittedFilter)}”`;
  const [county] = filters['County'] ?? [];
  const area = formatBoundary(getBoundary(session.state.value), session.watershedNames.latest);
  return county === undefined ? `in ${area}` : `${formatCounty(county, '')} in any state`;
}

/** The day on which the data version became current; if unknown, the first characters of the version. */
function describeVersion({ facets, inventory }: ViewProps['session']): string {
  const version = facets.state.value.answer?.version ?? '';
  const moment = findVersionTime(inventory.latest, version);
  return moment === undefined ? `Version ${version.slice(0, 8)}` : `Updated ${formatDay(moment)}`;
}
