// What a brief shows without a key: record counts and a map.

import type { VNode } from 'preact';
import type { OpenBrief } from '../requests/open-brief';
import { USE_COLOR } from '../state/kinds';
import {
  assignColors,
  describeSeveral,
  NOT_STATED_COLOR,
  OTHERS_COLOR,
  SEVERAL_COLOR,
  SEVERAL_VALUES,
} from '../state/palette';
import { formatCount } from '../views/parts/texts';
import { AreaMap } from './area-map';
import { nameArea } from './area-texts';

const LABELS = { rights: 'Water rights', series: 'Sites with amounts', aggregates: 'Reporting units' } as const;

export function OpenContent({ brief }: { readonly brief: OpenBrief }): VNode {
  const { counts, outline, points } = brief;
  const uses = rankUses(brief);
  const getColor = (use: string): string => uses.get(use) ?? OTHERS_COLOR;
  return (
    <section class="overview" aria-label="Overview">
      <dl class="headline">
        {(['rights', 'series', 'aggregates'] as const).map((kind) => (
          <div key={kind}>
            <dt>{LABELS[kind]}</dt>
            <dd>{formatCount(counts[kind])}</dd>
          </div>
        ))}
      </dl>
      <figure>
        <AreaMap outline={outline} points={points} sites={[]} getColor={getColor} label={`Map of ${nameArea(brief)}`} />
        <figcaption class="soft">
          {[...uses].map(([use, color]) => (
            <span key={use} class="entry">
              <span class="swatch" style={{ background: color }} /> {nameUse(use)}{' '}
            </span>
          ))}
        </figcaption>
      </figure>
    </section>
  );
}

function nameUse(use: string): string {
  if (use === '') return 'not stated';
  return use === SEVERAL_VALUES ? describeSeveral(USE_COLOR) : use;
}

/** The uses of the points with their colors, the most frequent first. */
function rankUses({ points }: OpenBrief): ReadonlyMap<string, string> {
  const counts = new Map<string, number>();
  for (const { category, count } of points) {
    const use = typeof category === 'string' ? category : '';
    counts.set(use, (counts.get(use) ?? 0) + count);
  }
  const names = [...counts].sort(([, a], [, b]) => b - a).map(([name]) => name);
  const assigned = assignColors(
    USE_COLOR,
    names.filter((name) => name !== '' && name !== SEVERAL_VALUES),
  );
  const special = new Map([
    ['', NOT_STATED_COLOR],
    [SEVERAL_VALUES, SEVERAL_COLOR],
  ]);
  return new Map(names.map((name) => [name, special.get(name) ?? assigned.get(name) ?? OTHERS_COLOR]));
}
