// Renders a chart as SVG, drawn as in downloaded files but in the colors of the page. There is a wide and a narrow
// version. Style sheets choose the version; print uses the wide one.

import type { VNode } from 'preact';
import type { Chart } from '../views/chart/chart';
import { type PictureStyle, renderSvg } from '../views/chart/chart-svg';

const COLORS: PictureStyle['colors'] = {
  paper: 'none',
  ink: 'var(--ink)',
  soft: 'var(--soft)',
  faint: 'var(--line)',
};

/** In SVG units. A unit is at most one pixel. */
const WIDE: PictureStyle = {
  size: { width: 760, height: 300, left: 84, right: 8, top: 26, bottom: 40 },
  colors: COLORS,
};

const NARROW: PictureStyle = {
  size: { width: 340, height: 260, left: 76, right: 4, top: 26, bottom: 40 },
  colors: COLORS,
};

export function Picture({ chart, label }: { readonly chart: Chart; readonly label: string }): VNode {
  return (
    <>
      {[WIDE, NARROW].map((style) => (
        <div
          key={style.size.width}
          class={style === WIDE ? 'picture wide' : 'picture narrow'}
          role="img"
          aria-label={label}
          // Safe, because renderSvg escapes all text.
          dangerouslySetInnerHTML={{ __html: renderSvg(chart, [], style) }}
        />
      ))}
    </>
  );
}
