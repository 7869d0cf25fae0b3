// The rows of catalog states, with a check that they are unchanged since they were written (ADR 0050).

import { crc32 } from 'node:zlib';
import { buildCatalogState, type CatalogEntry, type CatalogState } from '../catalog-types';
import { DamagedCatalogError } from '../damaged-catalog';
import { type Row, toObject } from './database';

type Cells = readonly [version: string, entries: string, since: string | null, cause: string];

export const INSERT_STATE = 'INSERT INTO states (version, entries, since, cause, checksum) VALUES (?, ?, ?, ?, ?)';

/** Returns the values for INSERT_STATE. */
export function toStateRow({ version, entries, since, cause }: CatalogState): readonly [...Cells, checksum: number] {
  const cells: Cells = [version, JSON.stringify(entries), since, cause];
  return [...cells, checksumCells(cells)];
}

type StateRow = Omit<CatalogState, 'entries'> & { readonly entries: string; readonly checksum?: number | null };

/** Throws DamagedCatalogError if the state is damaged. */
export function readStateRow(row: Row): CatalogState {
  const { version, entries, since, cause, checksum } = toObject(row) as StateRow; // Written by toStateRow.
  const damage = new DamagedCatalogError(
    `${since === null ? 'its initial state' : `its state as of ${since}`} does not match its checksum`,
  );
  // States of earlier versions have no checksum.
  const isIntact =
    (checksum ?? undefined) === undefined || checksum === checksumCells([version, entries, since, cause]);
  if (!isIntact) throw damage;
  const state = { version, entries: parseEntries(entries, damage), since, cause };
  if (buildCatalogState(state.entries, since, cause).version !== version) throw damage;
  return state;
}

/** Undefined for a damaged state. */
export function findIntactState(row: Row): CatalogState | undefined {
  try {
    return readStateRow(row);
  } catch (error) {
    if (error instanceof DamagedCatalogError) return undefined;
    throw error;
  }
}

function parseEntries(entries: string, damage: DamagedCatalogError): readonly CatalogEntry[] {
  try {
    return JSON.parse(entries) as readonly CatalogEntry[]; // Written by toStateRow.
  } catch {
    throw damage;
  }
}

function checksumCells(cells: Cells): number {
  return crc32(JSON.stringify(cells));
}
