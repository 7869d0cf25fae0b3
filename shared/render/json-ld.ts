// A site, a reporting unit or a water right as JSON-LD (D49): a schema.org Dataset with an inline context, for search
// engines and catalogs.

import { boundingBox, type Geometry } from '../values/geometry';

/** A feature as GeoJSON has it, in degrees. */
export interface ShownFeature {
  readonly id: string;
  readonly geometry: Geometry | null;
  readonly properties: Readonly<Record<string, unknown>>;
}

/** The release that has the feature, and under which terms. */
export interface ReleaseStatement {
  readonly release: string;
  /** ISO 8601, UTC. */
  readonly publishedAt: string;
  readonly license: string | null;
  readonly citation: string | null;
  readonly termsOfUse: string | null;
  readonly contact: string | null;
}

export const JSON_LD_TYPE = 'application/ld+json';

/** `address` is that of the feature, without a form. Members without a value are undefined, which JSON leaves out. */
export function jsonLdOf(feature: ShownFeature, address: string, statement: ReleaseStatement): object {
  const { id, geometry, properties } = feature;
  const { organization, ...described } = describe(feature);
  return {
    '@context': { '@vocab': 'https://schema.org/' },
    '@type': 'Dataset',
    '@id': address,
    identifier: id,
    name: described.name,
    description: `${described.name} as ${organization ?? 'its organization'} published it.`,
    url: address,
    isAccessibleForFree: true,
    provider: {
      '@type': 'Organization',
      name: organization,
      url: textOf(properties['OrganizationWebsite']),
    },
    spatialCoverage: geometry === null ? undefined : placeOf(feature, geometry),
    temporalCoverage: described.period,
    variableMeasured: described.variables,
    license: statement.license ?? undefined,
    usageInfo: statement.termsOfUse ?? undefined,
    citation: statement.citation ?? undefined,
    dateModified: statement.publishedAt,
    version: statement.release,
    distribution: [
      { '@type': 'DataDownload', encodingFormat: 'application/geo+json', contentUrl: `${address}?f=json` },
    ],
  };
}

/** As the text of a script in HTML: no tag can begin in it (D53). */
export function scriptText(document: object): string {
  return JSON.stringify(document).replaceAll('<', '\\u003c');
}

interface Described {
  readonly name: string;
  readonly organization: string | undefined;
  /** ISO 8601, an interval. */
  readonly period: string | undefined;
  readonly variables: string | readonly object[] | undefined;
}

/** Each kind of feature names its properties in its own way. */
function describe({ id, properties }: ShownFeature): Described {
  const text = (name: string): string | undefined => textOf(properties[name]);
  const organization = text('OrganizationName');
  if ('AllocationNativeID' in properties) {
    const priority = text('AllocationPriorityDate');
    return {
      ...{ name: `Water right ${text('AllocationNativeID') ?? id}`, organization },
      period: priority === undefined ? undefined : `${priority}/..`,
      variables: text('VariableSpecificTypeCV') ?? text('VariableCV'),
    };
  }
  const isSite = 'SiteUUID' in properties;
  const name = isSite
    ? `Site ${text('SiteName') ?? text('NativeSiteID') ?? id}`
    : `Reporting unit ${text('ReportingUnitName') ?? text('ReportingUnitNativeID') ?? id}`;
  const [first] = textsOf(properties['FirstDay']).sort();
  const last = textsOf(properties['LastDay']).sort().at(-1);
  return {
    ...{ name, organization },
    period: first === undefined || last === undefined ? undefined : `${first}/${last}`,
    variables: seriesVariables(properties),
  };
}

/** The columns of series stand beside each other: each list has an item for each series. */
function seriesVariables(properties: ShownFeature['properties']): readonly object[] | undefined {
  const at = (name: string, index: number): string | undefined => textOf(listOf(properties[name])[index]);
  const variables = listOf(properties['VariableSpecificUUID']).map((_, index) => ({
    '@type': 'PropertyValue',
    name: at('VariableSpecificTypeCV', index) ?? at('VariableCV', index),
    unitText: at('AmountUnitCV', index),
    measurementTechnique: at('AggregationStatisticCV', index),
  }));
  return variables.length === 0 ? undefined : variables;
}

/** The points of a right or a site, of which schema.org has several places; of lines and areas their box. */
function placeOf({ properties }: ShownFeature, geometry: Geometry): object {
  const address = [textOf(properties['County']), textOf(properties['StateCV'])].filter((part) => part !== undefined);
  const geo =
    geometry.type === 'MultiPoint'
      ? geometry.coordinates.map(pointOf)
      : geometry.type === 'Point'
        ? pointOf(geometry.coordinates)
        : boxOf(geometry);
  return { '@type': 'Place', geo, address: address.length === 0 ? undefined : address.join(', ') };
}

function pointOf([longitude, latitude]: readonly number[]): object {
  return { '@type': 'GeoCoordinates', longitude, latitude };
}

/** Corners are latitude, then longitude. */
function boxOf(geometry: Geometry): object {
  const [west, south, east, north] = boundingBox(geometry);
  return { '@type': 'GeoShape', box: `${south} ${west} ${north} ${east}` };
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function textsOf(value: unknown): string[] {
  return listOf(value).flatMap((one) => textOf(one) ?? []);
}

/** Undefined where there is none. */
function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}
