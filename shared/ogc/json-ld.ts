// A water right as JSON-LD (D49): a schema.org Dataset with an inline context, for search engines and catalogs.

import type { Geometry } from '../values/geometry';

/** A feature as GeoJSON has it, in degrees. */
export interface ShownFeature {
  readonly id: string;
  readonly geometry: Geometry | null;
  readonly properties: Readonly<Record<string, unknown>>;
}

/** The release that has the feature. */
export interface ReleaseStatement {
  readonly release: string;
  /** ISO 8601, UTC. */
  readonly publishedAt: string;
  readonly license: string | null;
  readonly citation: string | null;
}

export const JSON_LD_TYPE = 'application/ld+json';

/** `address` is that of the feature, without a form. Members without a value are left out. */
export function jsonLdOf(feature: ShownFeature, address: string, statement: ReleaseStatement): object {
  const { id, properties } = feature;
  const text = (name: string): string | undefined => {
    const value = properties[name];
    return typeof value === 'string' && value !== '' ? value : undefined;
  };
  const priority = text('AllocationPriorityDate');
  const name = text('AllocationNativeID') ?? id;
  return withoutUndefined({
    '@context': { '@vocab': 'https://schema.org/' },
    '@type': 'Dataset',
    '@id': address,
    identifier: id,
    name: `Water right ${name}`,
    description: `Water right ${name} as ${text('OrganizationName') ?? 'its organization'} published it.`,
    url: address,
    provider: withoutUndefined({
      '@type': 'Organization',
      name: text('OrganizationName'),
      url: text('OrganizationWebsite'),
    }),
    spatialCoverage: feature.geometry === null ? undefined : { '@type': 'Place', geo: geoOf(feature.geometry) },
    temporalCoverage: priority === undefined ? undefined : `${priority}/..`,
    variableMeasured: text('VariableSpecificTypeCV') ?? text('VariableCV'),
    license: statement.license ?? undefined,
    citation: statement.citation ?? undefined,
    dateModified: statement.publishedAt,
    version: statement.release,
    distribution: [
      { '@type': 'DataDownload', encodingFormat: 'application/geo+json', contentUrl: `${address}?f=json` },
    ],
  });
}

/** As the text of a script in HTML: no tag can begin in it (D53). */
export function scriptText(document: object): string {
  return JSON.stringify(document).replaceAll('<', '\\u003c');
}

/** The points of a right; schema.org has no list of points but several places. */
function geoOf(geometry: Geometry): object {
  const positions = geometry.type === 'MultiPoint' ? geometry.coordinates : [];
  return positions.map(([longitude, latitude]) => ({ '@type': 'GeoCoordinates', longitude, latitude }));
}

function withoutUndefined(members: Readonly<Record<string, unknown>>): object {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined));
}
