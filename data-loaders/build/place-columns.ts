// Writes the place columns of a release, keyed by rank: names, points, hashes and terms (D42). A place takes about 70
// bytes of memory, because rights may refer to millions of sites in any order (ADR 0053).

import type { FilterField } from '../../shared/query/filter-fields';
import type { DataSetKind } from '../../shared/records/data-sets';
import { writeSiteDetails } from '../../shared/render/site-details';
import { writeNumbers, writePlaceColumns } from '../../shared/search/index/column-format';
import type { ReleaseWriter } from '../../shared/store/port';
import { BitSet } from '../../shared/values/bytes/bit-set';
import { ownBytes } from '../../shared/values/bytes/own-bytes';
import { toWebMercator } from '../../shared/values/coordinate-systems';
import type { Box } from '../../shared/values/geometry';
import { getOrAdd } from '../../shared/values/maps';
import { numberAt } from '../../shared/values/number-arrays';
import type { PostingLists } from './posting-lists';
import type { FindOrdinal } from './record-columns';
import type { RunList } from './run-list';
import { buildTerm, type FieldValue, listPlaceFields, type Term } from './term-sources';

export interface PlaceColumnValues {
  readonly id: string;
  /** The box of the place's point or geometry; undefined without either. */
  readonly box: Box | undefined;
  /** The result of `toPlaceHash` for the place's identifier term. */
  readonly hash: number;
  /** Whether the place is a site with details that rights do not repeat. */
  readonly isDetailed: boolean;
  /** The place's values for the filter fields of places. */
  readonly values: readonly FieldValue[];
  /** Staged numbers of the place's water sources, in the order of its row. */
  readonly sources: readonly number[];
}

interface PlaceTerm {
  readonly term: Term;
  /** Undefined until a record has the term, because the spelling that occurs first in the records is used. */
  records: RunList | undefined;
}

/** Names are encoded in buffers of about this size: a million strings would take several times the memory. */
const NAME_BUFFER_CHARACTERS = 65_536;

/** Stands for "none" where numbering starts at 1. */
const NONE = 0;

export class PlaceColumnsWriter {
  private x: Float64Array;
  private y: Float64Array;
  private hashes: Float64Array;
  private readonly detailed: BitSet;
  private names: Buffer[] = [];
  private nameBuffer = '[';
  private readonly fields: readonly FilterField[];
  private readonly allTerms: PlaceTerm[] = [];
  /** Term numbers by field and submitted value. Values that were seen before are not folded again. */
  private readonly termNumbers = new Map<FilterField, Map<string, number>>();
  /** Keyed by rank and field: the term number plus one. */
  private terms: Uint32Array;
  /**
   * Keyed by rank: the staged number of the first water source. Few places have more than one; `otherSources` has the
   * others.
   */
  private readonly firstSources: Uint32Array;
  private readonly otherSources = new Map<number, readonly number[]>();

  constructor(
    private readonly kind: DataSetKind,
    private readonly places: number,
    private readonly postings: PostingLists,
  ) {
    this.fields = listPlaceFields(kind);
    this.x = new Float64Array(places).fill(NaN);
    this.y = new Float64Array(places).fill(NaN);
    this.hashes = new Float64Array(places);
    this.detailed = new BitSet(places);
    this.terms = new Uint32Array(places * this.fields.length);
    this.firstSources = new Uint32Array(places);
  }

  /** Places must be added in rank order, before the first record. */
  add(rank: number, { id, box, hash, isDetailed, values, sources: [first, ...others] }: PlaceColumnValues): void {
    this.nameBuffer += `${rank === 0 ? '' : ','}${JSON.stringify(id)}`;
    if (this.nameBuffer.length > NAME_BUFFER_CHARACTERS) this.flushNames();
    this.hashes[rank] = hash;
    if (isDetailed) this.detailed.add(rank);
    for (const value of values) {
      this.terms[rank * this.fields.length + this.fields.indexOf(value.field)] = this.getTermNumber(value) + 1;
    }
    if (first !== undefined) this.firstSources[rank] = first;
    if (others.length > 0) this.otherSources.set(rank, others);
    if (box === undefined) return;
    const [west, south, east, north] = box;
    [this.x[rank], this.y[rank]] = toWebMercator([(west + east) / 2, (south + north) / 2]);
  }

  /** Adds a record to a place's posting lists. */
  addRecord(rank: number, record: number): void {
    const end = (rank + 1) * this.fields.length;
    for (let index = rank * this.fields.length; index < end; index++) {
      const number = numberAt(this.terms, index);
      if (number === NONE) continue;
      const placeTerm = this.allTerms[number - 1];
      if (placeTerm === undefined) throw new Error(`term ${number} of places is not known`);
      placeTerm.records ??= this.postings.getLists([placeTerm.term])[0];
      placeTerm.records?.add(record);
    }
  }

  /** The staged numbers of a place's water sources. */
  getSources(rank: number): readonly number[] {
    const first = numberAt(this.firstSources, rank);
    return first === NONE ? [] : [first, ...(this.otherSources.get(rank) ?? [])];
  }

  writeHashes(writer: Pick<ReleaseWriter, 'addArtifact'>): void {
    writer.addArtifact('placeHashes', [writeNumbers(this.hashes.sort())]);
    this.hashes = new Float64Array();
  }

  /** Returns the fields of the `placeColumns` artifact, in the artifact's order. Frees the memory of the columns. */
  writeColumns(writer: Pick<ReleaseWriter, 'addArtifact'>, ordinalOf: FindOrdinal): readonly FilterField[] {
    this.nameBuffer += ']';
    this.flushNames();
    writer.addArtifact('placeNames', this.names);
    this.names = [];
    const ordinals = Uint32Array.from([NONE, ...this.allTerms.map(({ term }) => ordinalOf(term.text) ?? 0)]);
    const used = new Set(this.allTerms.map(({ term }) => term.field));
    const fields = [...used].sort();
    const columns = fields.map((field) => {
      const index = this.fields.indexOf(field);
      return new Uint32Array(this.places).map((_, rank) =>
        numberAt(ordinals, numberAt(this.terms, rank * this.fields.length + index)),
      );
    });
    writer.addArtifact('placeColumns', writePlaceColumns(this.x, this.y, columns));
    [this.x, this.y, this.terms] = [new Float64Array(), new Float64Array(), new Uint32Array()];
    return fields;
  }

  writeDetails(writer: Pick<ReleaseWriter, 'addArtifact'>): void {
    if (this.kind === 'WaterAllocations') writer.addArtifact('siteDetails', [writeSiteDetails(this.detailed)]);
  }

  private getTermNumber(fieldValue: FieldValue): number {
    const numbers = getOrAdd(this.termNumbers, fieldValue.field, () => new Map<string, number>());
    return getOrAdd(numbers, fieldValue.value, () => {
      return this.allTerms.push({ term: buildTerm(fieldValue), records: undefined }) - 1;
    });
  }

  private flushNames(): void {
    this.names.push(ownBytes(this.nameBuffer));
    this.nameBuffer = '';
  }
}
