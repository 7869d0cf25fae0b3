// Builds a release from staged rows: numbers and writes its lookups, then writes its records in canonical order (D17)
// and indexes them in the same pass (docs/release-layout.md). Nothing is readable until the caller finishes the writer.

import { dataSetLayouts, listLookupKinds } from '../../shared/records/data-sets';
import { buildRecordKey } from '../../shared/records/feature-ids';
import { hashDigest } from '../../shared/search/index/key-hashes';
import { FORMAT_VERSION, type ReleaseFacts } from '../../shared/store/port';
import { digestContent } from '../../shared/values/digest';
import { type CommonAmountRow, isReversed } from '../format/amount-definitions';
import { RowShape } from '../format/row-shape';
import { lookupFiles } from '../format/submission-files';
import { addInBatches } from './batches';
import { contentFingerprint, keyFingerprint } from './fingerprints';
import { writeBeneficialUse, writeMethod, writeVariable, writeWaterSource } from './lookup-json';
import { writeKeyHashChunks } from './record-columns';
import { readRecordRows } from './record-rows';
import { recordWriterFactories } from './release-json';
import { lookupTables, readReferencedRows } from './release-lookups';
import { type BuildInput, openReleaseParts, type ReleaseParts } from './release-parts';
import { writePlaces } from './write-places';

/** Returns the facts that the caller needs to finish the writer. */
export async function buildRelease(input: BuildInput): Promise<ReleaseFacts> {
  const { staged, staging, organization, statement, writer, progress } = input;
  const { kind } = staged.definition;
  progress.startStage(`writing ${kind}`, staged.rows);
  // All rows must be staged by now, because amounts refer to lookups by number.
  staging.endAdding();
  const parts = openReleaseParts(input);
  const { index, placeTexts, sources, digest, keyHashes } = parts;
  try {
    await writeLookups(input, parts);
    await writeLookupSources(input, parts);
    await writeRecords(input, parts);
    staging.saveRuns();
  } finally {
    placeTexts.close();
  }
  sources.finish();
  await index.finish();
  if (kind !== 'WaterAllocations') writeKeyHashChunks(keyHashes, writer);
  return {
    releaseId: digest.finish(),
    formatVersion: FORMAT_VERSION,
    organization,
    dataSet: kind,
    statement,
    ...index.getFacts(),
  };
}

/** Writes the lookups in number order. */
async function writeLookups(input: BuildInput, parts: ReleaseParts): Promise<void> {
  const { staged, staging, writer, findUseCategories } = input;
  const write = (json: string): void => {
    writer.addFragment('lookups', json);
    parts.digest.addLookup(json);
  };
  for (const kind of listLookupKinds(dataSetLayouts[staged.definition.kind])) {
    if (kind === 'BeneficialUses') {
      for (const use of parts.index.lookups.uses.keys()) write(writeBeneficialUse(use, findUseCategories(use)));
    } else if (kind === 'Sites' || kind === 'ReportingUnits') {
      await writePlaces(input, parts, write);
    } else {
      const writeItem = itemWriters[kind] as (row: unknown) => string; // The rows come from the table for this kind.
      for (const [, row] of readReferencedRows(lookupTables[kind], staged, staging)) write(writeItem(row));
    }
  }
}

const itemWriters = { VariableSpecifics: writeVariable, Methods: writeMethod, WaterSources: writeWaterSource };

/** Lookup tables, except those of places. */
const OTHER_TABLES = ['beneficialuses', 'methods', 'organizations', 'variables', 'watersources', 'relations'] as const;

/**
 * Stores the source rows of all accepted lookups. Omits the release's places, because their rows are stored with them.
 */
async function writeLookupSources({ staged, staging, writer }: BuildInput, { sources }: ReleaseParts): Promise<void> {
  const otherPlaces = staged.definition.placeTable === 'sites' ? 'reportingunits' : 'sites';
  for (const table of [...OTHER_TABLES, otherPlaces] as const) {
    const rows = staging.getLookups(table).readRows();
    await addInBatches(rows, writer, ({ source }) => sources.add(lookupFiles[table], source));
  }
}

/** Creates a record from each row and indexes it. */
async function writeRecords(input: BuildInput, parts: ReleaseParts): Promise<void> {
  const { writer, staged, observer, organization } = input;
  const { definition } = staged;
  const { kind, file } = definition;
  const { index, sources, placeTexts, digest, keyHashes } = parts;
  const shape = new RowShape(file);
  const recordWriter = recordWriterFactories[kind]((rank) => placeTexts.readText(rank));
  await addInBatches(readRecordRows(input), writer, ({ amount, references: staged }) => {
    sources.add(file, amount.source);
    const row = shape.read(amount.row) as CommonAmountRow; // The file contains amounts.
    const { references, ...indexed } = index.add(row, staged);
    const written = recordWriter.write(row, indexed);
    if (kind !== 'WaterAllocations') {
      const key = buildRecordKey(dataSetLayouts[kind], organization.OrganizationUUID, written.record);
      keyHashes.add(hashDigest(digestContent(key)));
    }
    const json = Buffer.from(written.json);
    digest.addRecord(json, references);
    const fingerprints = { key: keyFingerprint(amount.key), fingerprint: contentFingerprint(json) };
    observer.addRecord({ ...indexed, ...fingerprints, json, row, isReversed: isReversed(definition.shownDates(row)) });
    writer.addFragment('records', json, references);
    return amount.source.length + json.length;
  });
}
