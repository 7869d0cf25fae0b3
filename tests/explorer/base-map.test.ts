// The base map of the explorer: borders, rivers, lakes and towns, read from the files that the build writes.

import type { MultiLineString } from 'geojson';
import type { GeometryCollection, Topology } from 'topojson-specification';
import { buildBaseStyle, COUNTY_ZOOM, type MapFiles, WATER_ZOOM } from '../../explorer/map/base-map';
import { getGroundColors } from '../../explorer/map/ground-colors';
import { CountyOutlines } from '../../explorer/requests/county-outlines';
import type { Towns } from '../../explorer/requests/towns';
import { fetchStateWater, type WaterFile } from '../../explorer/requests/water-detail';
import { readExplorerFileNames, readExplorerText } from '../../shared/explorer-build';

function readPart(part: string): unknown {
  const name = readExplorerFileNames()?.[part];
  if (name === undefined) throw new Error(`the build has no part ${part}: run "npm run build"`);
  return JSON.parse(readExplorerText(name));
}

const files: MapFiles = {
  program: '',
  shared: '',
  worker: '',
  states: '',
  counties: '',
  water: '',
  nature: '',
  tiles: '',
  attribution: '',
};

// The build wrote these files.
const loadWater = (address: string): Promise<WaterFile> => Promise.resolve(readPart(address) as WaterFile);

describe('borders', () => {
  type Counties = Topology<{ readonly counties: GeometryCollection<{ readonly name: string }> }>;
  // The build wrote these files.
  const outlines = new CountyOutlines('counties-{state}', (address) => Promise.resolve(readPart(address) as Counties));

  function listSegments({ coordinates }: MultiLineString): readonly string[] {
    return coordinates.flatMap((line) => line.slice(1).map((position, index) => formatSegment(line[index], position)));
  }

  function formatSegment(from: readonly number[] = [], to: readonly number[] = []): string {
    return [from.join(' '), to.join(' ')].sort().join(', ');
  }

  test.each(['UT', 'WY', 'OK', 'ID'])(
    'of the state %s consist of borders of its counties, each drawn once',
    async (state) => {
      const { counties, sharedBorders, stateBorders } = await outlines.loadState(state);
      const rings = counties.flatMap(({ geometry }) =>
        geometry.type === 'Polygon' ? geometry.coordinates : geometry.coordinates.flat(),
      );
      const ofCounties = new Set(listSegments({ type: 'MultiLineString', coordinates: rings }));
      const drawn = [...listSegments(sharedBorders), ...listSegments(stateBorders)];
      expect(new Set(drawn).size).toBe(drawn.length);
      expect(new Set(drawn)).toEqual(ofCounties);
    },
  );

  test('of two neighboring states are the same line', async () => {
    const [utah, idaho] = await Promise.all([outlines.loadState('UT'), outlines.loadState('ID')]);
    const ofIdaho = new Set(listSegments(idaho.stateBorders));
    const shared = listSegments(utah.stateBorders).filter((segment) => ofIdaho.has(segment));
    expect(shared).not.toEqual([]);
  });

  test('of states are replaced by county borders, and coarse water by detailed water', () => {
    const atlas = readPart('states') as Parameters<typeof buildBaseStyle>[1]; // The build wrote this file.
    const { layers } = buildBaseStyle(files, atlas, getGroundColors(false));
    const zooms = Object.fromEntries(layers.map(({ id, minzoom, maxzoom }) => [id, [minzoom, maxzoom]]));
    expect(zooms).toMatchObject({
      states: [undefined, COUNTY_ZOOM],
      counties: [COUNTY_ZOOM, undefined],
      'near-states': [COUNTY_ZOOM, undefined],
      rivers: [undefined, WATER_ZOOM],
      lakes: [undefined, WATER_ZOOM],
      'near-rivers': [WATER_ZOOM, undefined],
      'near-lakes': [WATER_ZOOM, undefined],
    });
  });
});

describe('detailed water', () => {
  test('has the lakes of a state by name, as closed rings that touch the state', async () => {
    const { lakes } = await fetchStateWater('water-{state}', 'UT', loadWater);
    expect(lakes.map(({ properties }) => properties.name)).toEqual(
      expect.arrayContaining(['Bear Lake', 'Utah Lake', 'Great Salt Lake', 'Lake Powell']),
    );
    for (const { geometry } of lakes) {
      for (const ring of geometry.coordinates) expect(ring.at(-1)).toEqual(ring[0]);
      const touchesUtah = geometry.coordinates
        .flat()
        .some(([x = 0, y = 0]) => x > -114.1 && x < -109 && y > 37 && y < 42);
      expect(touchesUtah).toBe(true);
    }
  });

  test('has rivers inside of their state, with corners close enough for a county map', async () => {
    const { rivers } = await fetchStateWater('water-{state}', 'UT', loadWater);
    const positions = rivers.coordinates.flat();
    const outside = positions.filter(([x = 0, y = 0]) => x < -114.1 || x > -108.9 || y < 36.9 || y > 42.1);
    expect(outside).toEqual([]);
    const lengths = rivers.coordinates.flatMap((line) =>
      line.slice(1).map(([x = 0, y = 0], index) => {
        const [fromX = 0, fromY = 0] = line[index] ?? [];
        return Math.hypot(x - fromX, y - fromY);
      }),
    );
    // Half of the segments are shorter than 0.02 degrees, about a mile.
    expect(lengths.toSorted((a, b) => a - b)[Math.floor(lengths.length / 2)]).toBeLessThan(0.02);
  });

  test('of a state without rivers is empty', async () => {
    const { rivers, lakes } = await fetchStateWater('water-{state}', 'GU', loadWater);
    expect([rivers.coordinates, lakes]).toEqual([[], []]);
  });
});

describe('towns', () => {
  const { towns } = readPart('nature') as { readonly towns: Towns }; // The build wrote this file.

  test('of a state have different names', () => {
    const repeated = Object.entries(towns).flatMap(([state, list]) => {
      const names = list.map(([name]) => name);
      return names.filter((name, index) => names.indexOf(name) !== index).map((name) => `${name}, ${state}`);
    });
    expect(repeated).toEqual([]);
  });

  test('keep the county seat if several have the same name', () => {
    const [center] = towns['TX']?.filter(([name]) => name === 'Center') ?? [];
    expect(center?.map((value) => (typeof value === 'number' ? Math.round(value) : value)).slice(2)).toEqual([-94, 32]);
  });
});
