// Formats the name of a brief's area for headings and sentences.

import type { Brief } from '../requests/brief';
import type { BriefArea } from '../state/brief-area';
import { formatCounty } from '../state/county-names';
import { getStateName } from '../state/state-names';

/** "Cache County, Utah", or "Upper Bear (HUC8 16010101)". `name` is the name of the outline, if known. */
export function formatArea(area: BriefArea, name?: string): string {
  if (area.type === 'huc8') return `${name ?? 'Watershed'} (HUC8 ${area.code})`;
  return `${formatCounty(name ?? area.name, '')}, ${getStateName(area.state)}`;
}

/** The name of the area within a sentence. */
export function nameArea({ area, outline }: Pick<Brief, 'area' | 'outline'>): string {
  return area.type === 'huc8' ? `watershed ${area.code}` : formatCounty(outline.name ?? area.name, '');
}

/** "the county" or "the watershed". */
export function callArea({ type }: BriefArea): string {
  return type === 'huc8' ? 'the watershed' : 'the county';
}
