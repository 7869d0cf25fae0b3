// Describes a site, a reporting unit or a water right as JSON-LD (D49, D58), in the vocabulary of schema.org with an
// inline context, for search engines, catalogs and harvesters. It satisfies the public shapes of geoconnex.

import { aggregatedAmounts, siteVariableAmounts } from '../query/operations';
import { parseFeatureId } from '../records/feature-ids';
import type { Organization } from '../records/records';
import type { DataStatement } from '../store/catalog-types';
import { boundingBox, type Geometry } from '../values/geometry';
import { writeWkt } from '../values/wkt';

/** A GeoJSON feature, in degrees. */
export interface GeoJsonFeature {
  readonly id: string;
  readonly geometry: Geometry | null;
  readonly properties: Readonly<Record<string, unknown>>;
}

/** What a release says about its features: its organization, its terms, and when it was published. */
export interface ReleaseStatement extends DataStatement {
  readonly organization: Organization;
  readonly release: string;
  /** ISO 8601, UTC. */
  readonly publishedAt: string;
}

/** What the addresses and ids of features are built from. */
export interface ThingLocation {
  /** The prefix of all paths of the service; empty for addresses relative to the host. */
  readonly base: string;
  /** The id of the feature's collection. */
  readonly collection: string;
  /** The setting LINKED_DATA_ID. If it is empty, the address of the page serves as the id. */
  readonly idPattern: string;
}

export const JSON_LD_TYPE = 'application/ld+json';

const CONTEXT = {
  '@vocab': 'https://schema.org/',
  gsp: 'http://www.opengis.net/ont/geosparql#',
  hyf: 'https://www.opengis.net/def/schema/hy_features/hyf/',
};

/** Builds the address of a feature, without a format. */
export function buildThingAddress(
  id: string,
  { base, collection }: Pick<ThingLocation, 'base' | 'collection'>,
): string {
  return `${base}/ogc/collections/${collection}/items/${encodeURIComponent(id)}`;
}

/**
 * Describes a site or unit with a position as a Place, with its data as `subjectOf`. Describes a right, which has
 * several places, or a feature without a position as a Dataset (D58). Members without a value are undefined, so the
 * JSON omits them.
 */
export function buildJsonLd(feature: GeoJsonFeature, location: ThingLocation, statement: ReleaseStatement): object {
  const { geometry } = feature;
  const description = describeFeature(feature);
  const address = buildThingAddress(feature.id, location);
  const id = buildThingId(feature.id, location);
  const dataset = buildDataset(feature, { description, address, base: location.base }, statement);
  if (description.isRight || geometry === null) {
    const place = geometry === null ? undefined : buildPlace(feature, geometry, description);
    return { '@context': CONTEXT, '@id': id, ...dataset, spatialCoverage: place };
  }
  return {
    '@context': CONTEXT,
    '@id': id,
    ...buildPlace(feature, geometry, description),
    identifier: feature.id,
    url: address,
    subjectOf: { '@id': `${address}#data`, ...dataset, spatialCoverage: { '@id': id } },
  };
}

/** Returns a name for people: the kind of the feature and its own name. */
export function getThingName(feature: GeoJsonFeature): string {
  return describeFeature(feature).name;
}

/** Fills in the pattern, in which {id} is the identifier of the feature within its organization. */
export function buildThingId(featureId: string, location: ThingLocation): string {
  const { collection, idPattern } = location;
  if (idPattern === '') return buildThingAddress(featureId, location);
  const { organization, localId: id } = parseFeatureId(featureId);
  const parts: Readonly<Record<string, string>> = { id, organization, collection };
  return idPattern.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(parts[name] ?? ''));
}

interface FeatureDescription {
  readonly name: string;
  readonly isRight: boolean;
  /** An ISO 8601 interval. */
  readonly period: string | undefined;
  readonly variables: readonly object[];
}

interface DatasetParts {
  readonly description: FeatureDescription;
  readonly address: string;
  readonly base: string;
}

function buildDataset(feature: GeoJsonFeature, parts: DatasetParts, statement: ReleaseStatement): object {
  const { id, properties } = feature;
  const { description, address, base } = parts;
  const { organization } = statement;
  const provider = organization.OrganizationName;
  return {
    '@type': 'Dataset',
    identifier: id,
    name: description.name,
    description: `${description.name} as ${provider} published it.`,
    url: address,
    isAccessibleForFree: true,
    provider: { '@type': 'Organization', name: provider, url: asText(organization.OrganizationWebsite) },
    temporalCoverage: description.period,
    variableMeasured: description.variables.length === 0 ? undefined : description.variables,
    license: statement.license ?? undefined,
    usageInfo: statement.termsOfUse ?? undefined,
    citation: statement.citation ?? undefined,
    dateModified: statement.publishedAt,
    version: statement.release,
    distribution: [
      buildDownload('application/geo+json', `${address}?f=json`),
      ...(description.isRight || description.variables.length === 0 ? [] : [buildAmountsDownload(properties, base)]),
    ],
  };
}

function buildDownload(encodingFormat: string, contentUrl: string, name?: string): object {
  return { '@type': 'DataDownload', name, encodingFormat, contentUrl };
}

function buildAmountsDownload(properties: GeoJsonFeature['properties'], base: string): object {
  const isSite = 'SiteUUID' in properties;
  const { route } = isSite ? siteVariableAmounts : aggregatedAmounts;
  const name = isSite ? 'SiteUUID' : 'ReportingUnitUUID';
  const query = new URLSearchParams({
    OrganizationUUID: asText(properties['OrganizationUUID']) ?? '',
    [name]: asText(properties[name]) ?? '',
    format: 'csv',
  }).toString();
  return buildDownload('text/csv', `${base}/${route}?${query}`, 'All amounts; an access key is required');
}

/** Reads the description from the properties, whose names depend on the kind of feature. */
function describeFeature({ id, properties }: GeoJsonFeature): FeatureDescription {
  const readText = (name: string): string | undefined => asText(properties[name]);
  if ('AllocationNativeID' in properties) {
    const priority = readText('AllocationPriorityDate');
    return {
      name: `Water right ${readText('AllocationNativeID') ?? id}`,
      isRight: true,
      period: priority === undefined ? undefined : `${priority}/..`,
      variables: [buildVariable(readText, readText('MethodTypeCV') ?? readText('MethodName'))],
    };
  }
  const isSite = 'SiteUUID' in properties;
  const name = isSite
    ? `Site ${readText('SiteName') ?? readText('NativeSiteID') ?? id}`
    : `Reporting unit ${readText('ReportingUnitName') ?? readText('ReportingUnitNativeID') ?? id}`;
  const [first] = asTexts(properties['FirstDay']).sort();
  const last = asTexts(properties['LastDay']).sort().at(-1);
  return {
    name,
    isRight: false,
    period: first === undefined || last === undefined ? undefined : `${first}/${last}`,
    variables: asList(properties['VariableSpecificUUID']).map((_, index) => {
      // The columns of series are parallel lists with one item per series.
      const readText = (column: string): string | undefined => asText(asList(properties[column])[index]);
      return buildVariable(readText, readText('AggregationStatisticCV'));
    }),
  };
}

function buildVariable(
  readText: (name: string) => string | undefined,
  measurementTechnique: string | undefined,
): object {
  const name = readText('VariableSpecificTypeCV') ?? readText('VariableCV') ?? readText('VariableSpecificUUID');
  return { '@type': 'PropertyValue', name, unitText: readText('AmountUnitCV'), measurementTechnique };
}

/** Matches site types of stream gages, in the spellings that states use. */
const GAGE_TYPE = /\bga(u)?g(e|ing)\b/i;

function buildPlace({ properties }: GeoJsonFeature, geometry: Geometry, { name, isRight }: FeatureDescription): object {
  const siteType = isRight ? undefined : asText(properties['SiteTypeCV']);
  const isGage = siteType !== undefined && GAGE_TYPE.test(siteType);
  const address = [asText(properties['County']), asText(properties['StateCV'])].filter((part) => part !== undefined);
  return {
    '@type': isGage ? ['Place', 'hyf:HY_HydroLocation'] : 'Place',
    name,
    description: siteType,
    address: address.length === 0 ? undefined : address.join(', '),
    geo: buildGeo(geometry),
    'gsp:hasGeometry': {
      '@type': `http://www.opengis.net/ont/sf#${geometry.type}`,
      'gsp:asWKT': { '@type': 'gsp:wktLiteral', '@value': writeWkt(geometry) },
    },
  };
}

/** Schema.org allows several points, but not several lines or areas, so lines and areas become their bounding box. */
function buildGeo(geometry: Geometry): object {
  switch (geometry.type) {
    case 'Point':
      return buildPoint(geometry.coordinates);
    case 'MultiPoint':
      return geometry.coordinates.map(buildPoint);
    case 'LineString':
    case 'MultiLineString':
    case 'Polygon':
    case 'MultiPolygon':
      return buildBox(geometry);
  }
}

function buildPoint([longitude, latitude]: readonly number[]): object {
  return { '@type': 'GeoCoordinates', longitude, latitude };
}

/** Writes each corner as latitude, then longitude. */
function buildBox(geometry: Geometry): object {
  const [west, south, east, north] = boundingBox(geometry);
  return { '@type': 'GeoShape', box: `${south} ${west} ${north} ${east}` };
}

function asList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function asTexts(value: unknown): string[] {
  return asList(value).flatMap((item) => asText(item) ?? []);
}

/** Undefined unless the value is a string that is not empty. */
function asText(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}
