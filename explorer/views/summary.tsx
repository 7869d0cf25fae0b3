// A line about what is found: the exact total, what is filtered as chips to take away, and what keeps the page from
// an answer.

import type { VNode } from 'preact';
import type { WayOut } from '../requests/counts';
import { sentenceOf, type Trouble } from '../requests/reply';
import { kindOf } from '../state/kinds';
import { shownBoundary } from '../state/map-kinds';
import { type ExplorerState, withFilters } from '../state/state';
import { KeyForm, type ViewProps } from './parts/controls';
import { boundaryText, filterLabel, momentOfVersion, totalText, valueText } from './parts/texts';

export function Summary({ session }: ViewProps): VNode {
  const state = session.state.value;
  const { isAsking } = session.facets.current.value;
  const total = session.total.value;
  const inventory = session.inventory.latest;
  const isSample = inventory?.Organizations.some(({ DataSets }) => DataSets.some((one) => one.IsSample)) ?? false;
  return (
    <div class="summary">
      <p class="total">
        <strong role="status" aria-busy={isAsking}>
          {total === undefined ? '' : totalText(state.kind, total)}
        </strong>
        {total === undefined && isAsking && <span class="soft">Counting …</span>}
        {isSample && <span class="note">Invented samples</span>}
        {total !== undefined && <span class="soft version">{versionWords(session)}</span>}
      </p>
      <ul class="chips" aria-label="Active filters">
        {Object.entries(state.filters).flatMap(([name, values]) =>
          values.map((value) => <Chip key={`${name} ${value}`} session={session} name={name} value={value} />),
        )}
      </ul>
      <WhyNone session={session} />
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
  const label = filterLabel(session.state.value.kind, name);
  const text = valueText(session, name, value);
  return (
    <li>
      <button aria-label={`Remove filter ${label}: ${text}`} onClick={() => session.toggle(name, value)}>
        <span class="soft">{label}</span> {text} <span aria-hidden="true">×</span>
      </button>
    </li>
  );
}

/** Where the filters leave nothing: why, and filters that find something. */
function WhyNone({ session }: ViewProps): VNode | null {
  const why = session.whyNone.present;
  if (why === undefined) return null;
  const state = session.state.value;
  const { inArea, ways } = why;
  return (
    <div class="notice" role="status">
      <p>
        {inArea !== undefined && areaSentence(state, inArea)}{' '}
        {ways.length === 0
          ? 'Nothing is found, also without any one of these filters.'
          : `${inArea === undefined ? 'Nothing is found with all of these filters. ' : ''}What there is:`}
      </p>
      {ways.map((way) => (
        <button
          key={JSON.stringify([way.kind, way.filters])}
          onClick={() => session.change((one) => withFilters(one, way))}
        >
          {wayText(state, way)} {totalText(way.kind, way.count)}
        </button>
      ))}
    </div>
  );
}

function areaSentence(state: ExplorerState, inArea: number): string {
  const area = boundaryText(shownBoundary(state));
  return inArea === 0
    ? `There are no ${kindOf(state.kind).many} in ${area}.`
    : `${totalText(state.kind, inArea)} in ${area}, and the other filters leave none of them.`;
}

function wayText(state: ExplorerState, { kind, filters, without }: WayOut): string {
  if (without !== undefined) return `without “${filterLabel(kind, without)}”`;
  const [county] = filters['County'] ?? [];
  return county === undefined
    ? `in ${boundaryText(shownBoundary(state))}`
    : `county ${county} of any state, or of none`;
}

/** Figures belong to a version of the data: the day on which it became current, and the beginning of its name. */
function versionWords({ facets, inventory }: ViewProps['session']): string {
  const version = facets.current.value.answer?.version ?? '';
  const day = momentOfVersion(inventory.latest, version)?.slice(0, 10);
  return `${day === undefined ? 'version' : `data of ${day}, version`} ${version.slice(0, 8)}`;
}

function TroubleNotice({ session }: ViewProps): VNode | null {
  const trouble: Trouble | undefined = session.hasAccess ? session.trouble.value : { kind: 'key', fault: 'missing' };
  if (trouble === undefined) return null;
  return (
    <div class="notice" role="alert">
      <p>
        {sentenceOf(trouble)}{' '}
        {trouble.kind !== 'key' && (
          <button class="quiet" onClick={() => session.askAgain()}>
            Try now
          </button>
        )}
      </p>
      {trouble.kind === 'key' && <KeyForm session={session} />}
    </div>
  );
}
