// The coordinate systems in degrees that are read as WGS 84, because they differ from it by less than two meters (D73).

const WGS_84 = '4326';

/**
 * The names that programs and people use for each EPSG code. They are compared without spaces, hyphens and underscores.
 */
const NAMES: Readonly<Record<string, readonly string[]>> = {
  [WGS_84]: ['WGS84', 'WGS1984', 'GCSWGS1984', 'CRS84', 'WorldGeodeticSystem1984'],
  '4269': ['NAD83', 'NAD1983', 'GCSNorthAmerican1983', 'NorthAmericanDatum1983', 'NorthAmerican1983', 'CRS83'],
  '6318': ['NAD83(2011)', 'NAD19832011', 'GCSNAD19832011'],
  '4152': ['NAD83(HARN)', 'NAD83HARN'],
  '4759': ['NAD83(NSRS2007)', 'NAD83NSRS2007'],
  '4979': [],
};

const CODES_BY_NAME: ReadonlyMap<string, string> = new Map(
  Object.entries(NAMES).flatMap(([code, names]) => names.map((name) => [foldName(name), code] as const)),
);

/** The EPSG code at the end of any notation: `4326`, `4326.0`, `EPSG:4326`, `urn:ogc:def:crs:EPSG::4326`. */
const EPSG_CODE = /(?:^|[^\d.])(\d{4,6})(?:\.0+)?$/;
const LAST_NAME = /(?:^|[:/])([^:/]+)$/;

/**
 * Finds the EPSG code of a system in degrees that is read as WGS 84, by its code or name; undefined for all other
 * systems.
 */
export function findDegreeSystem(text: string): string | undefined {
  const [, code] = EPSG_CODE.exec(text.trim()) ?? [];
  if (code !== undefined && Object.hasOwn(NAMES, code)) return code;
  const [, name = ''] = LAST_NAME.exec(text.trim()) ?? [];
  return CODES_BY_NAME.get(foldName(name));
}

/** Returns the name and code of a system that `findDegreeSystem` supports, such as "NAD83 (EPSG 4269)". */
export function describeSystem(code: string): string {
  const [name] = NAMES[code] ?? [];
  return name === undefined ? `EPSG ${code}` : `${name} (EPSG ${code})`;
}

export function isWgs84(code: string): boolean {
  return code === WGS_84;
}

function foldName(name: string): string {
  return name.toLowerCase().replace(/[\s_-]+/g, '');
}
