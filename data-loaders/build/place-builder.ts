// Builds everything of places that follows from their rows alone: the lookup items of an answer and their digests, what
// records repeat of them, their points and their filter terms. It is a part of the RecordBuilder, which can work in a
// thread of its own (ADR 0046).

import { hash } from 'node:crypto';
import { closeSync, openSync, readSync, writeSync } from 'node:fs';
import { SITE_DETAILS } from '../../shared/render/features';
import { filterTerm, type FilterField } from '../../shared/query/text-filters';
import type { DataSetKind } from '../../shared/records/data-sets';
import { placeHash } from '../../shared/search/index/hashes';
import { ByteWriter } from '../../shared/values/bytes/byte-writer';
import { readPoint } from '../../shared/values/numbers';
import { RowShape, type CellValue } from '../format/column';
import { lookupFiles, type ReportingUnitRow, type SiteRow } from '../format/submission-files';
import type { StagedRelation } from '../stage/staged-tables';
import type { StagedTerms } from './posting-lists';
import { LOOKUP_DIGEST_BYTES } from './release-digests';
import { reportingUnitText, siteText, writeReportingUnit, writeSite, type SiteLookups } from './release-json';
import { FirstNumbers } from './row-values';
import { fieldValuesOf, placeIdentifierField, termOf, type FieldValue, type Term } from './term-sources';

/** The places of a release in their order. */
export interface PlaceBatch {
  /** As joinedRows joins them. */
  readonly rows: Uint8Array;
  readonly relations: readonly PlaceRelations[];
  /** Water sources that no earlier batch had. */
  readonly newSources: SiteLookups['sources'];
}

/** The relations of the place with this index in its batch. */
export interface PlaceRelations {
  readonly index: number;
  readonly pods: readonly StagedRelation[];
  readonly pous: readonly StagedRelation[];
}

export interface BuiltPlaces {
  /** The JSON of the lookups in UTF-8, with a line feed behind each. */
  readonly texts: Uint8Array<ArrayBuffer>;
  /** By place: the position of its line feed in `texts`. */
  readonly ends: Uint32Array<ArrayBuffer>;
  /** As LookupDigests.add takes them, one behind the other. */
  readonly digests: Uint8Array<ArrayBuffer>;
  /** Longitude and latitude of each place; NaN without a point. */
  readonly points: Float64Array<ArrayBuffer>;
  /** placeHash of the term of each place's identifier. */
  readonly hashes: Float64Array<ArrayBuffer>;
  /** By place whether it is a site that has any of SITE_DETAILS: 1, else 0. */
  readonly detailed: Uint8Array<ArrayBuffer>;
  /** Each place's terms, by the order in which terms came first, and where its list ends. */
  readonly terms: Uint32Array<ArrayBuffer>;
  readonly termEnds: Uint32Array<ArrayBuffer>;
  /** Terms that no place before had. */
  readonly newTerms: readonly Term[];
}

const NO_RELATIONS = { pods: [], pous: [] };

export class PlaceBuilder {
  private readonly shape: RowShape;
  private readonly sourceTypes = new Map<string, string | null>();
  private readonly terms = new FirstNumbers<Term>();
  private readonly identifierField: FilterField;
  private count = 0;

  constructor(
    private readonly kind: DataSetKind,
    /** Two-letter code. */
    private readonly organizationState: string,
    private readonly texts: PlaceTexts,
    private readonly identifiers: StagedTerms,
  ) {
    this.identifierField = placeIdentifierField(kind);
    this.shape = new RowShape(kind === 'AggregatedAmounts' ? lookupFiles.reportingunits : lookupFiles.sites);
  }

  /** `staged` are the values of the rows. */
  build({ newSources, relations }: Omit<PlaceBatch, 'rows'>, staged: readonly (readonly CellValue[])[]): BuiltPlaces {
    for (const { id, type } of newSources) this.sourceTypes.set(id, type);
    const ofPlace = new Map(relations.map((each) => [each.index, each]));
    const [terms, termEnds, points, hashes]: [number[], number[], number[], number[]] = [[], [], [], []];
    const lines = new LineWriter();
    const digests = new Uint8Array(staged.length * LOOKUP_DIGEST_BYTES);
    const detailed = new Uint8Array(staged.length);
    staged.forEach((values, index) => {
      const row = this.shape.rowOf(values);
      detailed[index] = Number(SITE_DETAILS.some((name) => (row[name] ?? null) !== null));
      const built = this.kind === 'AggregatedAmounts' ? this.unit(row) : this.site(row, ofPlace.get(index));
      lines.target.text(built.item);
      hash('sha256', lines.endLine(), 'buffer').copy(digests, index * LOOKUP_DIGEST_BYTES, 0, LOOKUP_DIGEST_BYTES);
      this.texts.add(built.text);
      hashes.push(this.addIdentifier(built.id));
      points.push(built.point?.longitude ?? NaN, built.point?.latitude ?? NaN);
      for (const value of built.values) terms.push(this.numberOf(value));
      termEnds.push(terms.length);
    });
    return {
      ...lines.finish(),
      ...{ digests, detailed, points: Float64Array.from(points), hashes: Float64Array.from(hashes) },
      ...{ terms: Uint32Array.from(terms), termEnds: Uint32Array.from(termEnds), newTerms: this.terms.takeNew() },
    };
  }

  private site(row: Readonly<Record<string, unknown>>, { pods, pous }: Omit<PlaceRelations, 'index'> = NO_RELATIONS) {
    const site = row as SiteRow; // The staged values are those of its file.
    const sources = site.WaterSourceUUIDs.map((id) => ({ id, type: this.sourceTypes.get(id) ?? null }));
    const { organizationState } = this;
    return {
      id: site.SiteUUID,
      item: writeSite(site, { sources, pods, pous }),
      text: siteText(this.kind, site),
      point: readPoint(site.Longitude, site.Latitude),
      values: fieldValuesOf(this.kind, 'site', { ...site, organizationState }),
    };
  }

  private unit(row: Readonly<Record<string, unknown>>) {
    const unit = row as ReportingUnitRow; // As above.
    const { organizationState } = this;
    return {
      id: unit.ReportingUnitUUID,
      item: writeReportingUnit(unit),
      text: reportingUnitText(unit),
      point: undefined,
      values: fieldValuesOf(this.kind, 'reportingUnit', { ...unit, organizationState }),
    };
  }

  private addIdentifier(id: string): number {
    const rank = this.count++;
    const term = filterTerm(this.identifierField, id);
    this.identifiers.add(term, rank);
    return placeHash(term, rank);
  }

  /** Most values were met before: only a new one is folded. */
  private numberOf(fieldValue: FieldValue): number {
    return this.terms.numberOf(fieldValue.field, fieldValue.value, () => termOf(fieldValue));
  }
}

const LINE_FEED = 0x0a;

/** A usual batch of 250 records. */
const FIRST_BYTES = 512 * 1024;

/** Writes texts in UTF-8 with a line feed behind each, in memory that can be transferred to another thread. */
export class LineWriter {
  /** The line under way is written here. */
  readonly target = new ByteWriter(FIRST_BYTES, (bytes) => Buffer.allocUnsafeSlow(bytes));
  private readonly ends: number[] = [];

  /** Returns the bytes of the line, which stay valid until the next line is begun. */
  endLine(): Uint8Array {
    const { target, ends } = this;
    const start = ends.length === 0 ? 0 : (ends.at(-1) ?? 0) + 1;
    const end = target.length;
    ends.push(end);
    target.byte(LINE_FEED);
    return target.bytes(start, end);
  }

  /** The lines, and the position of the line feed of each. */
  finish(): { readonly texts: Buffer<ArrayBuffer>; readonly ends: Uint32Array<ArrayBuffer> } {
    return { texts: this.target.bytes(), ends: Uint32Array.from(this.ends) };
  }
}

/** Texts are written in pieces. */
const WRITTEN_BYTES = 64 * 1024;

/** Records that follow each other name neighbours, and places from parts far apart: 8 MB of the file are remembered. */
const BLOCK_BYTES = 16 * 1024;
const CACHED_BLOCKS = 512;

const NO_BLOCK = 0xffffffff;

/**
 * The texts of places that records repeat, by rank: in a file, so that rights may name millions of sites in any order
 * (ADR 0053).
 */
export class PlaceTexts {
  private readonly file: number;
  /** By rank the byte at which the text ends. */
  private readonly ends: number[] = [];
  private readonly unwritten = new ByteWriter(WRITTEN_BYTES);
  private written = 0;
  /** Blocks of the file, each in the slot of its number modulo the slots. There are none before one is asked for. */
  private blocks = Buffer.alloc(0);
  private blockOfSlot = new Uint32Array(0);
  /** The text that was asked for last. */
  private readonly asked = new ByteWriter(BLOCK_BYTES);

  constructor(path: string) {
    this.file = openSync(path, 'w+');
  }

  /** Places come in the order of their ranks, and all of them before the first is asked for. */
  add(text: string): void {
    this.unwritten.text(text);
    this.ends.push(this.written + this.unwritten.length);
    if (this.unwritten.length >= WRITTEN_BYTES) this.write();
  }

  /** The text as it was added. */
  textOf(rank: number): string {
    this.asked.endAt(0);
    this.copyTo(rank, this.asked);
    return this.asked.bytes().toString();
  }

  /** Copies the text in UTF-8. */
  copyTo(rank: number, target: ByteWriter): void {
    const end = this.ends[rank];
    if (end === undefined) throw new Error(`place ${rank} has no text`);
    if (this.unwritten.length > 0) this.write();
    for (let position = rank === 0 ? 0 : (this.ends[rank - 1] ?? 0); position < end;) {
      const offset = position % BLOCK_BYTES;
      const length = Math.min(BLOCK_BYTES - offset, end - position);
      const start = this.blockStart((position - offset) / BLOCK_BYTES) + offset;
      target.copy(this.blocks, start, start + length);
      position += length;
    }
  }

  close(): void {
    closeSync(this.file);
  }

  /** Where a block of the file lies in memory. */
  private blockStart(block: number): number {
    if (this.blockOfSlot.length === 0) this.openSlots();
    const slot = block % this.blockOfSlot.length;
    const start = slot * BLOCK_BYTES;
    if (this.blockOfSlot[slot] !== block) {
      // The last block is shorter; what lies behind its end is never asked for.
      readSync(this.file, this.blocks, start, BLOCK_BYTES, block * BLOCK_BYTES);
      this.blockOfSlot[slot] = block;
    }
    return start;
  }

  /** A short file takes no more memory than it has bytes. */
  private openSlots(): void {
    const slots = Math.min(CACHED_BLOCKS, Math.ceil(this.written / BLOCK_BYTES));
    this.blocks = Buffer.allocUnsafeSlow(slots * BLOCK_BYTES);
    this.blockOfSlot = new Uint32Array(slots).fill(NO_BLOCK);
  }

  private write(): void {
    const bytes = this.unwritten.bytes();
    for (let at = 0; at < bytes.length;) at += writeSync(this.file, bytes, at, bytes.length - at);
    this.written += bytes.length;
    this.unwritten.endAt(0);
  }
}
