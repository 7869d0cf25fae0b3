// A site, a reporting unit or a water right as JSON-LD (D49, D58): of schema.org with an inline context, for search
// engines, catalogs and harvesters such as geoconnex, whose public shapes it satisfies.

import { aggregatedAmounts, siteVariableAmounts } from '../query/operations';
import { featureIdParts } from '../records/feature-ids';
import type { Organization } from '../records/records';
import type { DataStatement } from '../store/catalog-types';
import { boundingBox, type Geometry } from '../values/geometry';
import { writeWkt } from '../values/wkt';

/** A feature as GeoJSON has it, in degrees. */
export interface ShownFeature {
  readonly id: string;
  readonly geometry: Geometry | null;
  readonly properties: Readonly<Record<string, unknown>>;
}

/** The release that has the feature, whose it is, and under which terms. */
export interface ReleaseStatement extends DataStatement {
  readonly organization: Organization;
  readonly release: string;
  /** ISO 8601, UTC. */
  readonly publishedAt: string;
}

/** Where the feature is found, and what linked data know it by. */
export interface ThingAddress {
  /** In front of the paths of the service; empty for addresses that are relative to the host. */
  readonly base: string;
  /** The id of the collection that has it. */
  readonly collection: string;
  /** The setting LINKED_DATA_ID; empty where the address of the page is the id. */
  readonly idPattern: string;
}

export const JSON_LD_TYPE = 'application/ld+json';

const CONTEXT = {
  '@vocab': 'https://schema.org/',
  gsp: 'http://www.opengis.net/ont/geosparql#',
  hyf: 'https://www.opengis.net/def/schema/hy_features/hyf/',
};

/** The address of a feature, without a form. */
export function thingAddress(id: string, { base, collection }: Pick<ThingAddress, 'base' | 'collection'>): string {
  return `${base}/ogc/collections/${collection}/items/${encodeURIComponent(id)}`;
}

/**
 * A site or unit with a position is a Place with its data as `subjectOf`; a right, which has places, and a thing
 * without a position are a Dataset (D58). Members without a value are undefined, which JSON leaves out.
 */
export function jsonLdOf(feature: ShownFeature, where: ThingAddress, statement: ReleaseStatement): object {
  const { geometry } = feature;
  const described = describe(feature);
  const address = thingAddress(feature.id, where);
  const id = thingId(feature.id, where);
  const dataset = datasetOf(feature, { described, address, base: where.base }, statement);
  if (described.isRight || geometry === null) {
    const place = geometry === null ? undefined : placeOf(feature, geometry, described);
    return { '@context': CONTEXT, '@id': id, ...dataset, spatialCoverage: place };
  }
  return {
    '@context': CONTEXT,
    '@id': id,
    ...placeOf(feature, geometry, described),
    identifier: feature.id,
    url: address,
    subjectOf: { '@id': `${address}#data`, ...dataset, spatialCoverage: { '@id': id } },
  };
}

/** What people call it: its own name behind what it is. */
export function thingName(feature: ShownFeature): string {
  return describe(feature).name;
}

/** {id} is what names the thing within its organization. */
export function thingId(featureId: string, where: ThingAddress): string {
  const { collection, idPattern } = where;
  if (idPattern === '') return thingAddress(featureId, where);
  const { organization, own: id } = featureIdParts(featureId);
  const parts: Readonly<Record<string, string>> = { id, organization, collection };
  return idPattern.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(parts[name] ?? ''));
}

interface Described {
  readonly name: string;
  readonly isRight: boolean;
  /** ISO 8601, an interval. */
  readonly period: string | undefined;
  readonly variables: readonly object[];
}

interface DatasetParts {
  readonly described: Described;
  readonly address: string;
  readonly base: string;
}

function datasetOf(feature: ShownFeature, parts: DatasetParts, statement: ReleaseStatement): object {
  const { id, properties } = feature;
  const { described, address, base } = parts;
  const { organization } = statement;
  const provider = organization.OrganizationName;
  return {
    '@type': 'Dataset',
    identifier: id,
    name: described.name,
    description: `${described.name} as ${provider} published it.`,
    url: address,
    isAccessibleForFree: true,
    provider: { '@type': 'Organization', name: provider, url: textOf(organization.OrganizationWebsite) },
    temporalCoverage: described.period,
    variableMeasured: described.variables.length === 0 ? undefined : described.variables,
    license: statement.license ?? undefined,
    usageInfo: statement.termsOfUse ?? undefined,
    citation: statement.citation ?? undefined,
    dateModified: statement.publishedAt,
    version: statement.release,
    distribution: [
      download('application/geo+json', `${address}?f=json`),
      ...(described.isRight || described.variables.length === 0 ? [] : [amountsDownload(properties, base)]),
    ],
  };
}

function download(encodingFormat: string, contentUrl: string, name?: string): object {
  return { '@type': 'DataDownload', name, encodingFormat, contentUrl };
}

function amountsDownload(properties: ShownFeature['properties'], base: string): object {
  const isSite = 'SiteUUID' in properties;
  const { route } = isSite ? siteVariableAmounts : aggregatedAmounts;
  const name = isSite ? 'SiteUUID' : 'ReportingUnitUUID';
  const query = new URLSearchParams({
    OrganizationUUID: textOf(properties['OrganizationUUID']) ?? '',
    [name]: textOf(properties[name]) ?? '',
    format: 'csv',
  }).toString();
  return download('text/csv', `${base}/${route}?${query}`, 'All amounts, for whoever has a key of the service');
}

/** Each kind of feature names its properties in its own way. */
function describe({ id, properties }: ShownFeature): Described {
  const text = (name: string): string | undefined => textOf(properties[name]);
  if ('AllocationNativeID' in properties) {
    const priority = text('AllocationPriorityDate');
    return {
      name: `Water right ${text('AllocationNativeID') ?? id}`,
      isRight: true,
      period: priority === undefined ? undefined : `${priority}/..`,
      variables: [variableOf(text, text('MethodTypeCV') ?? text('MethodName'))],
    };
  }
  const isSite = 'SiteUUID' in properties;
  const name = isSite
    ? `Site ${text('SiteName') ?? text('NativeSiteID') ?? id}`
    : `Reporting unit ${text('ReportingUnitName') ?? text('ReportingUnitNativeID') ?? id}`;
  const [first] = textsOf(properties['FirstDay']).sort();
  const last = textsOf(properties['LastDay']).sort().at(-1);
  return {
    name,
    isRight: false,
    period: first === undefined || last === undefined ? undefined : `${first}/${last}`,
    variables: listOf(properties['VariableSpecificUUID']).map((_, index) => {
      // The columns of series stand beside each other: each list has an item for each series.
      const at = (column: string): string | undefined => textOf(listOf(properties[column])[index]);
      return variableOf(at, at('AggregationStatisticCV'));
    }),
  };
}

function variableOf(text: (name: string) => string | undefined, measurementTechnique: string | undefined): object {
  const name = text('VariableSpecificTypeCV') ?? text('VariableCV') ?? text('VariableSpecificUUID');
  return { '@type': 'PropertyValue', name, unitText: text('AmountUnitCV'), measurementTechnique };
}

/** What streams are measured by, as states write it. */
const GAGE = /\bga(u)?g(e|ing)\b/i;

/** The points of a right or a site, of which schema.org has several places; of lines and areas their box. */
function placeOf({ properties }: ShownFeature, geometry: Geometry, { name, isRight }: Described): object {
  const siteType = isRight ? undefined : textOf(properties['SiteTypeCV']);
  const isGage = siteType !== undefined && GAGE.test(siteType);
  const address = [textOf(properties['County']), textOf(properties['StateCV'])].filter((part) => part !== undefined);
  const geo =
    geometry.type === 'MultiPoint'
      ? geometry.coordinates.map(pointOf)
      : geometry.type === 'Point'
        ? pointOf(geometry.coordinates)
        : boxOf(geometry);
  return {
    '@type': isGage ? ['Place', 'hyf:HY_HydroLocation'] : 'Place',
    name,
    description: siteType,
    address: address.length === 0 ? undefined : address.join(', '),
    geo,
    'gsp:hasGeometry': {
      '@type': `http://www.opengis.net/ont/sf#${geometry.type}`,
      'gsp:asWKT': { '@type': 'gsp:wktLiteral', '@value': writeWkt(geometry) },
    },
  };
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
