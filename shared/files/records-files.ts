// The file formats of records (D44, D46).

import type { ExportFormat } from '../query/format-parameters';
import type { DataSetKind } from '../records/data-sets';
import { RecordsCsv } from './records-csv';
import type { FileMetadata, RecordsFile } from './records-file';
import { RecordsParquet } from './records-parquet';
import type { Sink } from './sinks';

export const recordsFiles: Readonly<
  Record<ExportFormat, (dataSet: DataSetKind, metadata: FileMetadata, sink: Sink) => RecordsFile>
> = {
  parquet: (dataSet, metadata, sink) => new RecordsParquet(dataSet, metadata, sink),
  'csv.gz': (dataSet, _, sink) => new RecordsCsv(dataSet, sink),
};
