// The sources of the base map, on the map, in its pictures and in print (D79).

/** GeoNames and GSHHG require attribution. The other two sources do not, but people want to know them. */
export const BUILT_IN_ATTRIBUTION =
  'Towns <a href="https://www.geonames.org/" target="_blank" rel="noopener">GeoNames</a> CC BY 4.0 · ' +
  'rivers, lakes Natural Earth, GSHHG · borders US Census · for orientation only';

/** Without links. An operator's tiles have their own sources. */
export function formatAttribution({
  tiles,
  attribution,
}: {
  readonly tiles: string;
  readonly attribution: string;
}): string {
  const borders = 'borders US Census';
  if (tiles !== '') return `Base map: ${[attribution, borders].filter(Boolean).join(' · ')}`;
  return `Base map: ${BUILT_IN_ATTRIBUTION.replaceAll(/<[^>]+>/g, '')}`;
}
