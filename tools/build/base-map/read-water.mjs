// Reads GSHHG rivers as packed by matplotlib's basemap, and Natural Earth lakes from a shapefile.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The box of the United States without islands in the Pacific. */
const BOX = { west: -170, south: 24, east: -66, north: 72 };

/**
 * Reads the positions of each river. Each line of the table of contents ends with the river's offset and length in
 * bytes.
 */
export function readRivers(folder) {
  const data = readFileSync(join(folder, 'rivers_f.dat'));
  const contents = readFileSync(join(folder, 'riversmeta_f.dat'), 'utf8').trim().split('\n');
  const lines = contents.map((row) => {
    const [, , , , , start, length] = row.split(/\s+/).map(Number);
    const positions = [];
    for (let offset = start; offset < start + length; offset += 8) {
      const longitude = data.readFloatLE(offset);
      positions.push([longitude > 180 ? longitude - 360 : longitude, data.readFloatLE(offset + 4)]);
    }
    return positions;
  });
  return lines.filter(hasPositionInBox);
}

/** Reads polygons with their English names. The name is empty if there is none. */
export function readLakes(folder) {
  const names = readColumn(readFileSync(join(folder, 'ne_10m_lakes.dbf')), 'name');
  const lakes = readPolygons(readFileSync(join(folder, 'ne_10m_lakes.shp')));
  return lakes
    .map((rings, index) => ({ name: names[index] ?? '', rings }))
    .filter(({ rings }) => rings.some(hasPositionInBox));
}

function hasPositionInBox(positions) {
  const { west, south, east, north } = BOX;
  return positions.some(([x, y]) => x > west && x < east && y > south && y < north);
}

/** The rings of each record of a shapefile. */
function readPolygons(file) {
  const polygons = [];
  for (let offset = 100; offset < file.length; offset += 8 + 2 * file.readInt32BE(offset + 4)) {
    const partCount = file.readInt32LE(offset + 44);
    const pointCount = file.readInt32LE(offset + 48);
    const points = offset + 52 + 4 * partCount;
    const starts = Array.from({ length: partCount }, (_, part) => file.readInt32LE(offset + 52 + 4 * part));
    const rings = starts.map((start, part) => {
      const end = starts[part + 1] ?? pointCount;
      return Array.from({ length: end - start }, (_, index) => {
        const at = points + 16 * (start + index);
        return [file.readDoubleLE(at), file.readDoubleLE(at + 8)];
      });
    });
    polygons.push(rings);
  }
  return polygons;
}

/** The strings of a column in a dBASE file. */
function readColumn(file, wanted) {
  const recordCount = file.readUInt32LE(4);
  const headerLength = file.readUInt16LE(8);
  const recordLength = file.readUInt16LE(10);
  let start = 1;
  let descriptor = 32;
  const nameAt = (offset) => file.toString('latin1', offset, offset + 11).replace(/\0.*$/s, '');
  while (nameAt(descriptor) !== wanted) {
    start += file[descriptor + 16];
    descriptor += 32;
  }
  const length = file[descriptor + 16];
  return Array.from({ length: recordCount }, (_, index) => {
    const at = headerLength + index * recordLength + start;
    return file
      .toString('utf8', at, at + length)
      .replaceAll('\0', '')
      .trim();
  });
}
