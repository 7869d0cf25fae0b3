// The feature that was clicked on the map: what the service says of it, its series, and the ways on.

import type { VNode } from 'preact';
import { sentenceOf } from '../../requests/reply';
import { nameOfFeature, splitFeatureId, type FeatureSeries, pageAddress } from '../../requests/places';
import { kindOf } from '../../state/kinds';
import { cellText } from '../parts/cells';
import { countText } from '../parts/choices';
import type { ViewProps } from '../parts/view-props';
import { FeatureFigure } from './feature-figure';
import { Members } from './record-page';

/** The name of the thing that is open beside the map, once it is known. */
export function thingTitle({ state, feature }: ViewProps['session']): string {
  const shown = feature.present;
  return (shown && nameOfFeature(shown)) ?? kindOf(state.value.kind).places.title;
}

export function PlacePage({ session, id }: ViewProps & { readonly id: string }): VNode {
  const { trouble } = session.feature.current.value;
  const feature = session.feature.present;
  if (trouble !== undefined) return <p class="notice">{sentenceOf(trouble)}</p>;
  if (feature === undefined) return <p class="soft">Loading …</p>;
  const { members, series } = feature;
  if (members.length === 0) return <p class="notice">This version of the data has it no more.</p>;
  return (
    <div>
      <FeatureLinks session={session} id={id} />
      <FeatureFigure session={session} />
      {series.length > 0 && <SeriesList series={series} />}
      <Members members={members.map(([name, value]) => [name, cellText(name, value)] as const)} />
    </div>
  );
}

function FeatureLinks({ session, id }: ViewProps & { readonly id: string }): VNode {
  const { kind } = session.state.value;
  const { identifier } = splitFeatureId(id);
  return (
    <p class="links">
      <a href={pageAddress(session.client, kind, id)} target="_blank" rel="noopener">
        Its own page
      </a>
      <button type="button" onClick={() => session.filter(kindOf(kind).places.filter, [identifier])}>
        Only this one
      </button>
      {kind === 'series' && (
        <button type="button" onClick={() => session.compareSite(identifier)}>
          As a line
        </button>
      )}
    </p>
  );
}

function SeriesList({ series }: { readonly series: readonly FeatureSeries[] }): VNode {
  return (
    <>
      <p class="soft">All that is published of it, whatever is filtered:</p>
      <ul class="series">
        {series.map((memberOf, index) => (
          <li key={index}>
            <strong>{memberOf('VariableSpecificTypeCV') || memberOf('VariableCV')}</strong>{' '}
            <span class="soft">{memberOf('AmountUnitCV')}</span>
            <br />
            {counted(Number(memberOf('RecordsCount')), 'record')}
            {memberOf('FirstDay') !== '' && ` in ${counted(Number(memberOf('YearsCount')), 'year')}, `}
            {[...new Set(['FirstDay', 'LastDay'].map(memberOf))].filter((day) => day !== '').join(' to ')}
          </li>
        ))}
      </ul>
    </>
  );
}

function counted(count: number, one: string): string {
  return `${countText(count)} ${one}${count === 1 ? '' : 's'}`;
}
