// What the list of downloads says (D44): the files of each current release, members in order.

import {
  described,
  listOf,
  objectOf,
  requiredNumber,
  requiredText,
  type Member,
  type ObjectOf,
} from './object-definition';

const downloadFileMembers = {
  Name: described(requiredText, 'records.parquet, places.parquet (GeoParquet 1.1) or records.csv.gz.'),
  MediaType: described(requiredText, 'The media type that it is sent as.'),
  Bytes: described(requiredNumber, 'Its length.'),
  SHA256: described(requiredText, 'Digest of its bytes, hexadecimal.'),
  Path: described(requiredText, 'Where it is downloaded; a key is needed.'),
};

const isPending: Member<boolean> = {
  schema: { type: 'boolean', description: 'Whether the files are still to be made; `Files` is then empty.' },
};

const downloadMembers = {
  OrganizationUUID: described(requiredText, 'Whose data they are.'),
  DataSet: described(requiredText, 'SiteVariableAmounts, AggregatedAmounts or WaterAllocations.'),
  Release: described(requiredText, 'Names the data set as it is published now; its files never change.'),
  Records: described(requiredNumber, 'How many records it has.'),
  Files: described(listOf(objectOf(downloadFileMembers)), 'What can be downloaded.'),
  Pending: isPending,
};

export const downloadsMembers = {
  TotalDownloadsCount: described(requiredNumber, 'How many releases there are.'),
  Downloads: described(listOf(objectOf(downloadMembers)), 'Each current release, in the order of answers.'),
};

export type Download = ObjectOf<typeof downloadMembers>;
