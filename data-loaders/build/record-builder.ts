// Builds everything that follows from the text of places and records alone: the JSON texts, their fingerprints and the
// digest that names the release. It needs nothing but its input, so that it can work in a thread of its own (ADR 0046).

import { join } from 'node:path';
import { recordKey } from '../../shared/render/feature-ids';
import { dataSetLayouts, type DataSetKind } from '../../shared/records/data-sets';
import { hashOfDigest } from '../../shared/search/index/hashes';
import type { Item } from '../../shared/records/record-references';
import { digestNameOf } from '../../shared/values/digest';
import type { AllocationRow, CommonAmountRow } from '../format/amount-definitions';
import { amountsFiles } from '../format/submission-files';
import { RowShape, type CellValue } from '../format/column';
import type { SavedRuns } from '../stage/sorted-runs';
import { LineWriter, PlaceBuilder, PlaceTexts, type BuiltPlaces, type PlaceBatch } from './place-builder';
import { IdentifierTerms, StagedTerms, type PostingPiece } from './posting-lists';
import { contentFingerprint, ReleaseDigest, type ReleaseIdentity } from './release-digests';
import { startRecordWriter, type RecordLookups } from './release-json';
import { RowValuesReader, type RowValues } from './row-values';

export interface RecordBuilderInput extends ReleaseIdentity {
  /** A folder for the texts of places and the terms of identifiers. */
  readonly folder: string;
}

/** Staged rows in the order of their records. */
export interface RowBatch {
  /** As joinedRows joins them. */
  readonly rows: Uint8Array;
  /** The lookups of the rows, each distinct combination once, and by row the index of its combination. */
  readonly lookups: readonly RecordLookups[];
  readonly lookupsOfRows: Uint32Array;
  /** The ranks of each row's places, and where its list ends. */
  readonly places: Uint32Array;
  readonly placeEnds: Uint32Array;
}

export interface BuiltBatch extends RowValues {
  /** The JSON of the records in UTF-8, with a line feed behind each. */
  readonly texts: Uint8Array<ArrayBuffer>;
  /** By record: the position of its line feed in `texts`. */
  readonly ends: Uint32Array<ArrayBuffer>;
  readonly fingerprints: Float64Array<ArrayBuffer>;
  /** hashOfDigest of the digests of their keys; none of rights. */
  readonly keyHashes: Uint32Array<ArrayBuffer>;
}

export interface FinishedRecords {
  readonly releaseId: string;
  /** The terms of the places' identifiers, with their ranks, in files: StagedTerms opens them. */
  readonly placeTerms: SavedRuns;
}

export class RecordBuilder {
  private readonly shape: RowShape;
  private readonly writer: ReturnType<(typeof startRecordWriter)[DataSetKind]>;
  private readonly digest: ReleaseDigest;
  private readonly placeTexts: PlaceTexts;
  private readonly places: PlaceBuilder;
  private readonly placeTerms: StagedTerms;
  private readonly identifiers: IdentifierTerms | undefined;
  private readonly values: RowValuesReader;
  private count = 0;

  constructor(private readonly input: RecordBuilderInput) {
    const { dataSet: kind, organization, folder } = input;
    this.shape = new RowShape(amountsFiles[kind]);
    this.placeTexts = new PlaceTexts(join(folder, 'places'));
    this.placeTerms = new StagedTerms(folder, 'place_terms');
    this.places = new PlaceBuilder(kind, organization.OrganizationState, this.placeTexts, this.placeTerms);
    this.identifiers = kind === 'WaterAllocations' ? new IdentifierTerms(folder) : undefined;
    this.values = new RowValuesReader(kind);
    this.writer = startRecordWriter[kind](this.placeTexts);
    this.digest = new ReleaseDigest(input);
  }

  /** Places come in the order of their ranks, before the records. */
  buildPlaces(batch: PlaceBatch): BuiltPlaces {
    return this.places.build(batch, readJoinedRows(batch.rows));
  }

  build(batch: RowBatch): BuiltBatch {
    // All places are there: the memory of their terms is free from now on.
    if (this.count === 0) this.placeTerms.save();
    // The rows of a data set are those of its file.
    const rows = readJoinedRows(batch.rows).map((values) => this.shape.rowOf(values) as CommonAmountRow);
    rows.forEach((row, index) => {
      this.identifiers?.add(this.count + index, row as AllocationRow); // As above.
    });
    this.count += rows.length;
    const { texts, ends } = this.writeLines(rows, batch);
    this.digest.addLines(texts);
    const fingerprints = Float64Array.from(ends, (end, index) =>
      contentFingerprint(texts.subarray(index === 0 ? 0 : (ends[index - 1] ?? 0) + 1, end)),
    );
    const keyHashes = this.keyHashesOf(texts, ends);
    return { texts, ends, fingerprints, keyHashes, ...this.values.read(rows) };
  }

  /** `lookupDigests` comes from LookupDigests.ofReferenced. */
  finish(lookupDigests: Uint8Array): FinishedRecords {
    return { releaseId: this.digest.finish(lookupDigests), placeTerms: this.placeTerms.save() };
  }

  /** The next posting lists of identifiers, after `finish`; undefined when there are no more. */
  nextPostings(): PostingPiece | undefined {
    return this.identifiers?.nextPiece();
  }

  close(): void {
    this.placeTexts.close();
    this.placeTerms.close();
    this.identifiers?.close();
  }

  private writeLines(rows: readonly CommonAmountRow[], batch: RowBatch): ReturnType<LineWriter['finish']> {
    const { lookups, lookupsOfRows, places, placeEnds } = batch;
    const lines = new LineWriter();
    rows.forEach((row, index) => {
      const lookupsOfRow = lookups[lookupsOfRows[index] ?? NaN];
      if (lookupsOfRow === undefined) throw new Error('a row came without its lookups');
      const ranks = places.subarray(index === 0 ? 0 : placeEnds[index - 1], placeEnds[index]);
      this.writer.write(row, lookupsOfRow, ranks, lines.target);
      lines.endLine();
    });
    return lines.finish();
  }

  private keyHashesOf(texts: Buffer, ends: Uint32Array): BuiltBatch['keyHashes'] {
    const { dataSet, organization } = this.input;
    if (dataSet === 'WaterAllocations') return new Uint32Array();
    return Uint32Array.from(ends, (end, index) => {
      const text = texts.toString('utf8', index === 0 ? 0 : (ends[index - 1] ?? 0) + 1, end);
      const record = JSON.parse(text) as Item; // The writer has written it.
      return hashOfDigest(digestNameOf(recordKey(dataSetLayouts[dataSet], organization.OrganizationUUID, record)));
    });
  }
}

const LIST_START = Buffer.from('[');
const LIST_END = Buffer.from(']');
const COMMA = Buffer.from(',');

/** Staged rows as the items of one JSON list in UTF-8: one long piece of memory is handed over faster than many. */
export function joinedRows(rows: readonly { readonly row: Uint8Array }[]): Uint8Array {
  const items = rows.flatMap(({ row }, index) => (index === 0 ? [row] : [COMMA, row]));
  return Buffer.concat([LIST_START, ...items, LIST_END]);
}

function readJoinedRows(joined: Uint8Array): readonly (readonly CellValue[])[] {
  const text = Buffer.from(joined.buffer, joined.byteOffset, joined.byteLength).toString();
  return JSON.parse(text) as readonly (readonly CellValue[])[]; // Each row was written by stageRow.
}
