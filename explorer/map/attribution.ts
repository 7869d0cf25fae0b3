// The attribution of the base map, shown on the map, in its pictures and in print (D79).

/**
 * GeoNames and GSHHG require attribution. The other two sources do not, but readers want to know where the map comes
 * from.
 */
export const BUILT_IN_ATTRIBUTION =
  'Towns <a href="https://www.geonames.org/" target="_blank" rel="noopener">GeoNames</a> CC BY 4.0 · ' +
  'rivers, lakes Natural Earth, GSHHG · borders US Census · for orientation only';

/** Returns the attribution without links. An operator's tiles have their own attribution. */
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
