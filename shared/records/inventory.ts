// The members of the documents that say what is published: the inventory (ADR 0038), with organizations, their data
// sets and the values that can be asked for; and the list of downloads (D44), with the files of each release.

import {
  boolean,
  date,
  described,
  listOf,
  type Member,
  number,
  type ObjectOf,
  objectOf,
  requiredBoolean,
  requiredNumber,
  requiredText,
  text,
} from './object-definition';

const valueMembers = {
  Value: described(requiredText, 'As it was submitted.'),
  Records: described(requiredNumber, 'How many records have it.'),
};

type Values = readonly ObjectOf<typeof valueMembers>[];

/** By the name of the filter that takes them. */
const vocabulary: Member<Readonly<Record<string, Values>>> = {
  schema: {
    type: 'object',
    additionalProperties: listOf(objectOf(valueMembers)).schema,
    description: 'The values that the records have of each filter, by its name and then by value.',
  },
};

const submissionMembers = {
  Name: described(text, 'Name of the submission.'),
  Contact: described(text, 'Whom to ask about it.'),
  Note: described(text, 'What the submitter says of it.'),
  TermsOfUse: described(text, 'Text or a web address.'),
  License: described(text, 'A web address.'),
  Citation: described(text, 'How to cite the data.'),
};

const dataSetMembers = {
  DataSet: described(requiredText, 'Kind of amounts.'),
  Path: described(requiredText, 'Path of the operation that answers with its records.'),
  PlacesPath: described(requiredText, 'Path and query that list the places of the organization with their series.'),
  Records: described(requiredNumber, 'How many records it has.'),
  Sites: described(number, 'How many sites they refer to; null for amounts of reporting units.'),
  ReportingUnits: described(number, 'How many reporting units they refer to; null for amounts at sites.'),
  FirstDay: described(date, 'First day of their timeframes, or of their priority dates.'),
  LastDay: described(date, 'Last day of these.'),
  LastPublicationDate: described(date, 'The latest DataPublicationDate.'),
  PublishedAt: described(requiredText, 'When the data set was published here (ISO 8601, UTC).'),
  IsSample: described(boolean, 'Whether it is an invented sample.'),
  Release: described(requiredText, 'Name of what is published, by its content.'),
  Submission: described(objectOf(submissionMembers), 'What the submission that it comes from says of itself.'),
  Vocabulary: vocabulary,
};

const organizationMembers = {
  OrganizationUUID: described(requiredText, 'Identifier of the organization.'),
  OrganizationName: described(requiredText, 'Its name.'),
  OrganizationState: described(requiredText, 'Its state, two letters.'),
  State: described(requiredText, 'Its state in full.'),
  DataSets: described(listOf(objectOf(dataSetMembers)), 'What it has published.'),
};

const formerVersionMembers = {
  DataVersion: described(requiredText, 'A version that DataVersion and ChangedSince take.'),
  Since: described(text, 'When it became current (ISO 8601, UTC).'),
};

export const inventoryMembers = {
  DataVersion: described(requiredText, 'Version of the data, as in the header Data-Version.'),
  FormerDataVersions: described(
    listOf(objectOf(formerVersionMembers)),
    'Other versions that were current before and are still held, the newest first.',
  ),
  Organizations: described(
    listOf(objectOf(organizationMembers)),
    'Those with data that was asked for, by OrganizationUUID.',
  ),
};

export type InventoryDataSet = ObjectOf<typeof dataSetMembers>;
export type InventoryOrganization = ObjectOf<typeof organizationMembers>;
export type FormerDataVersion = ObjectOf<typeof formerVersionMembers>;

const downloadFileMembers = {
  Name: described(
    requiredText,
    'records.parquet, places.parquet (GeoParquet 1.1), records.csv.gz or things.jsonl.gz (JSON-LD).',
  ),
  MediaType: described(requiredText, 'The media type that it is sent as.'),
  Bytes: described(requiredNumber, 'Its length.'),
  SHA256: described(requiredText, 'Digest of its bytes, hexadecimal.'),
  Path: described(requiredText, 'Where it is downloaded; a key is needed.'),
};

const downloadMembers = {
  OrganizationUUID: described(requiredText, 'Whose data they are.'),
  DataSet: described(requiredText, 'SiteVariableAmounts, AggregatedAmounts or WaterAllocations.'),
  Release: described(requiredText, 'Names the data set as it is published now; its files never change.'),
  Records: described(requiredNumber, 'How many records it has.'),
  Files: described(listOf(objectOf(downloadFileMembers)), 'What can be downloaded.'),
  Pending: described(requiredBoolean, 'Whether the files are still to be made; `Files` is then empty.'),
};

export const downloadsMembers = {
  TotalDownloadsCount: described(requiredNumber, 'How many releases there are.'),
  Downloads: described(listOf(objectOf(downloadMembers)), 'Each current release, in the order of answers.'),
};

export type Download = ObjectOf<typeof downloadMembers>;
