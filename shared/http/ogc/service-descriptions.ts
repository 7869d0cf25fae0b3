// The descriptions of the OGC API as a whole (D47, D53): the landing page, the conformance classes, the API document
// and the collections. None of them needs a key.

import { featureCollections } from '../../query/cql2/feature-collections';
import { COORDINATE_SYSTEMS } from '../../values/coordinate-systems';
import type { PageBody } from '../pages/framed-page';
import { html } from '../pages/html';
import { SERVICE_TITLE } from '../pages/page';
import { factList, scrolledTable } from '../pages/page-parts';
import { describeKeySource } from '../pipeline/authorize';
import { API_TYPE, buildFormatLinks, HTML_TYPE, JSON_TYPE, OGC_RELATIONS } from './addresses';
import { buildApiDocument } from './api-document';
import { buildCollectionDocument, listCollectionFacts, renderCollectionLine } from './collection-descriptions';
import { type Describe, type Description, type DescriptionContext, STANDARD } from './description';
import { renderMemberRow, renderOgcPage } from './ogc-pages';

/** Keyed by path, relative to /ogc. */
export const serviceDescriptions: ReadonlyMap<string, Describe> = new Map<string, Describe>([
  ['', describeLanding],
  ['conformance', describeConformance],
  ['api', describeRequests],
  ['collections', describeCollections],
]);

const DESCRIPTION =
  'Water data that many states contribute: sites, reporting units, water rights and amounts as features. Features need ' +
  'an access key from the operator of the service; descriptions need none.';

function describeLanding({ root, base, format }: DescriptionContext): Description {
  const links = [
    ...buildFormatLinks(root, format, JSON_TYPE),
    { rel: 'service-desc', type: API_TYPE, href: `${root}/api`, title: 'API definition' },
    { rel: 'service-doc', type: HTML_TYPE, href: `${base}/docs`, title: 'Documentation' },
    { rel: 'conformance', type: JSON_TYPE, href: `${root}/conformance`, title: 'Conformance' },
    { rel: 'data', type: JSON_TYPE, href: `${root}/collections`, title: 'Collections' },
    {
      rel: `${OGC_RELATIONS}/tiling-schemes`,
      type: JSON_TYPE,
      href: `${root}/tileMatrixSets`,
      title: 'Tile grids',
    },
  ];
  const document = { title: SERVICE_TITLE, description: DESCRIPTION, links };
  const page = (): PageBody => {
    const content = html`<p>
        In QGIS, ArcGIS Pro, GDAL, R or Python, connect to <code>${root}</code> with the access key as user name and any
        password.
      </p>
      <section>
        <h2>Collections</h2>
        ${featureCollections.map((collection) => renderCollectionLine(collection, root))}
      </section>`;
    return renderOgcPage({ kind: STANDARD, ...document, content });
  };
  return { document, page };
}

const CLASSES = [
  'ogcapi-common-1/1.0/conf/core',
  'ogcapi-features-1/1.0/conf/core',
  'ogcapi-features-1/1.0/conf/oas30',
  'ogcapi-features-1/1.0/conf/geojson',
  'ogcapi-features-1/1.0/conf/html',
  'ogcapi-features-2/1.0/conf/crs',
  'ogcapi-features-3/1.0/conf/queryables',
  'ogcapi-features-3/1.0/conf/queryables-query-parameters',
  'ogcapi-features-3/1.0/conf/filter',
  'ogcapi-features-3/1.0/conf/features-filter',
  'ogcapi-tiles-1/1.0/conf/core',
  'ogcapi-tiles-1/1.0/conf/tileset',
  'ogcapi-tiles-1/1.0/conf/tilesets-list',
  'ogcapi-tiles-1/1.0/conf/geodata-tilesets',
  'ogcapi-tiles-1/1.0/conf/mvt',
  'cql2/1.0/conf/cql2-text',
  'cql2/1.0/conf/cql2-json',
  'cql2/1.0/conf/basic-cql2',
  'cql2/1.0/conf/advanced-comparison-operators',
  'cql2/1.0/conf/case-insensitive-comparison',
  'cql2/1.0/conf/basic-spatial-functions',
];

function describeConformance({ root, format, service }: DescriptionContext): Description {
  const links = buildFormatLinks(`${root}/conformance`, format, JSON_TYPE);
  const conformsTo = CLASSES.map((name) => `http://www.opengis.net/spec/${name}`);
  const page = (): PageBody => {
    const content = html`<ul>
        ${conformsTo.map((uri) => html`<li><a href="${uri}" rel="noopener">${uri}</a></li> `)}
      </ul>
      <p>Features need an access key. ${describeKeySource(service)}</p>`;
    const description = 'The conformance classes that the service implements.';
    return renderOgcPage({ kind: STANDARD, title: 'Conformance', description, links, content });
  };
  return { document: { links, conformsTo }, page };
}

function describeRequests({ root, base }: DescriptionContext): Description {
  const document = buildApiDocument(base);
  const { info, paths } = document;
  const page = (): PageBody => {
    const content = Object.entries(paths).map(([path, { get }]) => {
      const rows = get.parameters.map(({ name, description }) => renderMemberRow(name, [description]));
      return html`<section>
        <h2><code>${path}</code></h2>
        <p>${get.summary}</p>
        ${scrolledTable(['Parameter', 'Meaning'], rows, { label: `Parameters of ${path}` })}
      </section> `;
    });
    const links = [
      { rel: 'collection', href: root, title: STANDARD },
      { rel: 'alternate', href: `${root}/api?f=json`, title: 'This description as OpenAPI 3.0' },
    ];
    return renderOgcPage({ kind: info.title, title: 'Requests', description: info.description, links, content });
  };
  return { type: API_TYPE, document, page };
}

async function describeCollections(context: DescriptionContext): Promise<Description> {
  const { root, format } = context;
  const links = buildFormatLinks(`${root}/collections`, format, JSON_TYPE);
  const collections = await Promise.all(
    featureCollections.map((collection) => buildCollectionDocument(collection, context)),
  );
  const page = (): PageBody => {
    const content = collections.map(
      (collection) =>
        html`<section>${renderCollectionLine(collection, root)} ${factList(listCollectionFacts(collection))}</section>`,
    );
    return renderOgcPage({ kind: STANDARD, title: 'Collections', description: '', links, content });
  };
  return { document: { links, collections, crs: COORDINATE_SYSTEMS.map(({ uri }) => uri) }, page };
}
