// Estimates the size of a download before it starts: records times the mean bytes per record of the published files.

import { getKind, type Kind } from '../state/kinds';
import type { ServiceClient } from './client';
import type { FileFormat } from './downloads';

/** In bytes as transferred. Only formats with a published file have a size. */
export type FileSizes = Partial<Record<FileFormat, number>>;

/** The published files that have the same content as a download. The service has no GeoJSON file of all records. */
const PUBLISHED_FILES: Partial<Record<FileFormat, string>> = { csv: 'records.csv.gz', parquet: 'records.parquet' };

/** The members of /v1/Downloads that are read. */
interface DownloadList {
  readonly Downloads: readonly PublishedDataSet[];
}

interface PublishedDataSet {
  readonly DataSet: string;
  readonly Records: number;
  /** Empty while the files are being made. */
  readonly Files: readonly { readonly Name: string; readonly Bytes: number }[];
}

/** Empty if the service does not answer. */
export async function estimateFileSizes(client: ServiceClient, kind: Kind, total: number): Promise<FileSizes> {
  const reply = await client.request<DownloadList>('v1/Downloads');
  if (reply.kind !== 'answer') return {};
  const dataSets = reply.value.Downloads.filter(({ DataSet }) => DataSet === getKind(kind).dataSet);
  const sizes: FileSizes = {};
  for (const [format, name] of Object.entries(PUBLISHED_FILES)) {
    const bytesPerRecord = computeBytesPerRecord(dataSets, name);
    // The format is a key of this table.
    if (bytesPerRecord !== undefined) sizes[format as FileFormat] = total * bytesPerRecord;
  }
  return sizes;
}

/** The mean over all data sets that have the file; undefined if none has it. */
function computeBytesPerRecord(dataSets: readonly PublishedDataSet[], name: string): number | undefined {
  let bytes = 0;
  let records = 0;
  for (const { Records, Files } of dataSets) {
    const file = Files.find(({ Name }) => Name === name);
    if (file === undefined) continue;
    bytes += file.Bytes;
    records += Records;
  }
  return records === 0 ? undefined : bytes / records;
}
