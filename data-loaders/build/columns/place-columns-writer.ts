// Collects what the places of a release are grouped, counted and drawn by: their names, their points and their terms.

import type { FilterField } from '../../../shared/query/text-filters';
import { placeColumnPieces } from '../../../shared/search/index/column-format';
import type { ReleaseWriter } from '../../../shared/store/port';
import type { Box } from '../../../shared/values/geometry';
import { webMercatorOf } from '../../../shared/values/coordinate-systems';
import { TermsByCode, type OrdinalOf } from './terms-by-code';

/** Names are encoded in pieces of about so many characters: a million texts would take several times the memory. */
const PIECE_CHARACTERS = 65_536;

export class PlaceColumnsWriter {
  /** The terms of places by rank. */
  readonly terms: TermsByCode;
  private readonly x: Float64Array;
  private readonly y: Float64Array;
  private pieces: Buffer[] = [];
  private piece = '[';
  private count = 0;

  constructor(private readonly places: number) {
    this.terms = new TermsByCode(places);
    this.x = new Float64Array(places).fill(NaN);
    this.y = new Float64Array(places).fill(NaN);
  }

  /** Places come in the order of their ranks. One without a point or a geometry has no box. */
  addPlace(id: string, box: Box | undefined): void {
    const rank = this.count++;
    this.piece += `${rank === 0 ? '' : ','}${JSON.stringify(id)}`;
    if (this.piece.length > PIECE_CHARACTERS) this.endPiece();
    if (box === undefined) return;
    const [west, south, east, north] = box;
    const [x, y] = webMercatorOf([(west + east) / 2, (south + north) / 2]);
    this.x[rank] = x;
    this.y[rank] = y;
  }

  /** Returns the fields of the `placeColumns` artifact, in its order. */
  finish(writer: Pick<ReleaseWriter, 'addLongArtifact'>, ordinalOf: OrdinalOf): readonly FilterField[] {
    this.piece += ']';
    this.endPiece();
    writer.addLongArtifact('placeNames', this.pieces);
    this.pieces = [];
    const values = this.terms.finish(ordinalOf, this.places);
    const columns = values.map(([, ordinals]) => ordinals);
    writer.addLongArtifact('placeColumns', placeColumnPieces(this.x, this.y, columns));
    return values.map(([field]) => field);
  }

  private endPiece(): void {
    this.pieces.push(Buffer.from(this.piece));
    this.piece = '';
  }
}
