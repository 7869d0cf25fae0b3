// A summary of the matching records: the exact total, the filters as removable chips, and what keeps the page from an
// answer.

import type { VNode } from 'preact';
import type { Alternative } from '../requests/empty-result';
import { describeTrouble, type Trouble } from '../requests/reply';
import { withFilters } from '../state/changes';
import { getKind } from '../state/kinds';
import { getBoundary } from '../state/map-kinds';
import type { ExplorerState } from '../state/state';
import type { ViewProps } from './parts/controls';
import { KeyForm } from './parts/key-form';
import { findVersionTime, formatBoundary, formatTotal, formatValue, getFilterLabel } from './parts/texts';

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
          {total === undefined ? '' : formatTotal(state.kind, total)}
        </strong>
        {total === undefined && isLoading && <span class="soft">Counting …</span>}
        {isSample && <span class="note">Invented samples</span>}
        {total !== undefined && <span class="soft version">{describeVersion(session)}</span>}
      </p>
      <ul class="chips" aria-label="Active filters">
        {Object.entries(state.filters).flatMap(([name, values]) =>
          values.map((value) => <Chip key={`${name} ${value}`} session={session} name={name} value={value} />),
        )}
      </ul>
      <EmptyResultNotice session={session} />
      <TroubleNotice session={session} />
      {session.isSlow.value && (
        <p class="notice" role="status">
          The service has not answered yet. Figures that are pale belong to what was asked before.
        </p>
      )}
    </div>
  );
}

function Chip({ session, name, value }: ViewProps & { readonly name: string; readonly value: string }): VNode {
  const label = getFilterLabel(session.state.value.kind, name);
  const text = formatValue(session, name, value);
  return (
    <li>
      <button aria-label={`Remove filter ${label}: ${text}`} onClick={() => session.toggle(name, value)}>
        <span class="soft">{label}</span> {text} <span aria-hidden="true">×</span>
      </button>
    </li>
  );
}

/** Explains an empty result, and offers filters that match something. */
function EmptyResultNotice({ session }: ViewProps): VNode | null {
  const emptyResult = session.emptyResult.fresh;
  if (emptyResult === undefined) return null;
  const state = session.state.value;
  const { countInArea, alternatives } = emptyResult;
  return (
    <div class="notice" role="status">
      <p>
        {countInArea !== undefined && describeArea(state, countInArea)}{' '}
        {alternatives.length === 0
          ? 'Nothing is found, also without any one of these filters.'
          : `${countInArea === undefined ? 'Nothing is found with all of these filters. ' : ''}What there is:`}
      </p>
      {alternatives.map((alternative) => (
        <button
          key={JSON.stringify([alternative.kind, alternative.filters])}
          onClick={() => session.change((one) => withFilters(one, alternative))}
        >
          {describeAlternative(state, alternative)} {formatTotal(alternative.kind, alternative.count)}
        </button>
      ))}
    </div>
  );
}

function describeArea(state: ExplorerState, inArea: number): string {
  const area = formatBoundary(getBoundary(state));
  return inArea === 0
    ? `There are no ${getKind(state.kind).plural} in ${area}.`
    : `${formatTotal(state.kind, inArea)} in ${area}, and the other filters leave none of them.`;
}

function describeAlternative(state: ExplorerState, { kind, filters, omittedFilter }: Alternative): string {
  if (omittedFilter !== undefined) return `without “${getFilterLabel(kind, omittedFilter)}”`;
  const [county] = filters['County'] ?? [];
  return county === undefined
    ? `in ${formatBoundary(getBoundary(state))}`
    : `county ${county} of any state, or of none`;
}

/** The day on which the data version became current, and its first characters. */
function describeVersion({ facets, inventory }: ViewProps['session']): string {
  const version = facets.state.value.answer?.version ?? '';
  const day = findVersionTime(inventory.latest, version)?.slice(0, 10);
  return `${day === undefined ? 'version' : `data of ${day}, version`} ${version.slice(0, 8)}`;
}

function TroubleNotice({ session }: ViewProps): VNode | null {
  const trouble: Trouble | undefined = session.hasAccess ? session.trouble.value : { kind: 'key', fault: 'missing' };
  if (trouble === undefined) return null;
  return (
    <div class="notice" role="alert">
      <p>
        {describeTrouble(trouble)}{' '}
        {trouble.kind !== 'key' && (
          <button class="quiet" onClick={() => session.retry()}>
            Try now
          </button>
        )}
      </p>
      {trouble.kind === 'key' && <KeyForm session={session} />}
    </div>
  );
}
