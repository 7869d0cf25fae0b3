// GET /data.json: the data sets as a DCAT-US 3 catalog that other catalogs can harvest (ADR 0090). It follows the JSON
// schema of DCAT-US, and an inline context makes it JSON-LD.

import { downloads as downloadsOperation, operations } from '../../query/operations';
import { KIND_NAMES } from '../../records/data-set-names';
import type { Organization } from '../../records/records';
import { JSON_LD_TYPE } from '../../render/json-ld';
import type { CatalogState } from '../../store/catalog-types';
import { DOWNLOAD_MEDIA_TYPES, type DownloadFile, type DownloadName } from '../../store/download-files';
import type { ReleaseFacts } from '../../store/port';
import { type Box, boxToRing } from '../../values/geometry';
import { SERVICE_TITLE } from '../pages/page';
import { answerFile, createContent } from '../pages/page-answers';
import { getDownloadsContent, isOpenFile, type PublishedDownload, readReleasesBox } from '../pages/published-releases';
import { describeKeySource } from '../pipeline/authorize';
import type { Outcome } from '../pipeline/outcome';
import type { HttpRequest, Service } from '../pipeline/service';
import context from './dcat-context.json';

/**
 * Like all links, addresses are relative to the host unless PUBLIC_URL is set. Not every harvester resolves relative
 * addresses.
 */
export async function answerDcatCatalog(request: HttpRequest, service: Service): Promise<Outcome> {
  const name = `catalog ${service.access.limits.hasOpenPages} ${describeKeyAccess(service)}`;
  const content = await getDownloadsContent(name, service, async (downloads, state) =>
    createContent(JSON.stringify(await buildCatalog(downloads, state, service)), JSON_LD_TYPE),
  );
  return answerFile(request, content, service.pages);
}

/** Returns sentences that say what needs a key and where to get one. */
function describeKeyAccess(service: Service): string {
  return `Reading records needs a key. ${describeKeySource(service)}`;
}

// Members that the submission does not state are undefined, so the JSON omits them.

async function buildCatalog(
  downloads: readonly PublishedDownload[],
  { since }: CatalogState,
  service: Service,
): Promise<object> {
  const { publicUrl } = service;
  return {
    // Defines the members in RDF, so that readers need no other host.
    '@context': context,
    '@id': `${publicUrl}/data.json`,
    '@type': 'Catalog',
    title: SERVICE_TITLE,
    description: 'Water data submitted by states: amounts at sites, aggregated amounts, and water rights.',
    conformsTo: { '@type': 'Standard', title: 'DCAT-US 3.0' },
    homepage: buildDocument(SERVICE_TITLE, `${publicUrl}/`),
    language: ['en'],
    modified: since ?? undefined,
    dataset: await Promise.all(downloads.map((download) => buildDataset(download, service))),
  };
}

/** The identifier does not contain the release, so that harvesters recognize the data set after the next publish. */
async function buildDataset({ entry, reader, facts, files }: PublishedDownload, service: Service): Promise<object> {
  const { publicUrl, access, contact, caches } = service;
  const { organization, dataSet, records, firstDay, lastDay, releaseId } = facts;
  const { license, citation, termsOfUse } = entry.submission ?? {};
  const notation = `${organization.OrganizationUUID}/${dataSet}`;
  const page = `${publicUrl}/downloads#d-${releaseId}`;
  const title = `${KIND_NAMES[dataSet]}: ${organization.OrganizationName}`;
  const box = await readReleasesBox([{ reader, caches }]);
  const isDated = firstDay !== null && lastDay !== null;
  return {
    '@type': 'Dataset',
    title,
    description: `${KIND_NAMES[dataSet]} of ${organization.OrganizationName}, ${organization.State}: ${records} records.`,
    identifier: { '@type': 'Identifier', schemaAgency: organization.OrganizationName, notation },
    publisher: { '@type': 'Organization', name: organization.OrganizationName },
    contactPoint: listContacts(organization, contact),
    version: releaseId,
    modified: entry.publishedAt,
    language: ['en'],
    keyword: ['water', KIND_NAMES[dataSet].toLowerCase(), organization.State],
    accessRights: describeKeyAccess(service),
    license: license ?? undefined,
    rights: termsOfUse == null ? undefined : [termsOfUse],
    bibliographicCitation: citation ?? undefined,
    spatial: [{ '@type': 'Location', prefLabel: organization.State, bbox: box && formatPolygon(box) }],
    temporal: isDated ? [{ '@type': 'PeriodOfTime', startDate: firstDay, endDate: lastDay }] : undefined,
    landingPage: buildDocument(title, page),
    distribution: [
      ...(files ?? []).map((file) => ({
        ...buildFileDistribution(file, `${publicUrl}/${downloadsOperation.route}/${releaseId}`, page),
        accessRights: isOpenFile(file.name, access) ? OPEN_ACCESS : describeKeyAccess(service),
      })),
      ...buildQueryDistributions(facts, service),
    ],
  };
}

const OPEN_ACCESS = 'Public; no key needed.';

/** The pattern that DCAT-US requires for an email address. */
const MAIL_ADDRESS = /^[\w~!$&'()*+,;=:.-]+@[\w-]+(?:\.[\w-]+)+$/;

/** Uses the email address of the organization, or else that of the service. Other kinds of contacts are not listed. */
function listContacts(organization: Organization, serviceContact: string): readonly object[] {
  const { OrganizationContactEmail: email, OrganizationContactName: name, OrganizationName } = organization;
  const contacts = [
    { fn: name ?? OrganizationName, address: email ?? '' },
    { fn: SERVICE_TITLE, address: serviceContact },
  ];
  const contact = contacts.find(({ address }) => MAIL_ADDRESS.test(address));
  return contact === undefined ? [] : [{ '@type': 'Kind', fn: contact.fn, hasEmail: `mailto:${contact.address}` }];
}

function buildDocument(title: string, accessURL: string): object {
  return { '@type': 'Document', title, accessURL };
}

/** Formats a box as well-known text, longitude first. */
function formatPolygon(box: Box): string {
  const corners = boxToRing(box).map((corner) => corner.join(' '));
  return `POLYGON((${corners.join(', ')}))`;
}

/** The format of each file. For a compressed file, also the media type of its uncompressed content. */
const FORMATS: Readonly<Record<DownloadName, { readonly format: string; readonly compressed?: string }>> = {
  'records.parquet': { format: 'Parquet' },
  'places.parquet': { format: 'GeoParquet' },
  'records.csv.gz': { format: 'CSV', compressed: 'text/csv' },
  'things.jsonl.gz': { format: 'JSON-LD', compressed: JSON_LD_TYPE },
};

function buildFileDistribution({ name, bytes, sha256 }: DownloadFile, folder: string, page: string): object {
  const { format, compressed } = FORMATS[name];
  return {
    '@type': 'Distribution',
    title: name,
    format,
    mediaType: compressed ?? DOWNLOAD_MEDIA_TYPES[name],
    compressFormat: compressed && DOWNLOAD_MEDIA_TYPES[name],
    downloadURL: `${folder}/${name}`,
    accessURL: page,
    byteSize: String(bytes),
    checksum: { '@type': 'Checksum', algorithm: 'SHA-256', checksumValue: sha256 },
  };
}

/** Describes the operations that return any part of the data set. */
function buildQueryDistributions({ dataSet, organization }: ReleaseFacts, service: Service): readonly object[] {
  return operations
    .filter((operation) => operation.dataSet === dataSet)
    .map(({ route, name }) => ({
      '@type': 'Distribution',
      title: name,
      description: 'Any part of the data set, filtered by place, time, use and kind.',
      mediaType: 'application/json',
      accessURL: `${service.publicUrl}/${route}?OrganizationUUID=${encodeURIComponent(organization.OrganizationUUID)}`,
      accessRights: describeKeyAccess(service),
    }));
}
