// Reads the county outlines that the build wrote for the explorer. Each state is read when it is first needed.

import { feature } from 'topojson-client';
import type { GeometryCollection, Topology } from 'topojson-specification';
import { readExplorerFileNames, readExplorerText } from './explorer-build';
import type { CountyOutline, CountyOutlines } from './values/county-outlines';
import type { Geometry } from './values/geometry';
import { getOrAdd } from './values/maps';

type CountyTopology = Topology<{ readonly counties: GeometryCollection<{ readonly name: string }> }>;

/** Returns outlines without counties if the project is not built. */
export function openCountyOutlines(): CountyOutlines {
  const names = new Map(
    Object.entries(readExplorerFileNames() ?? {}).flatMap(([part, name]) => {
      const [, state] = /^counties-([A-Z]{2})$/.exec(part) ?? [];
      return state === undefined ? [] : [[state, name] as const];
    }),
  );
  const counties = new Map<string, readonly CountyOutline[]>();
  return {
    states: [...names.keys()],
    listCounties: (state) => {
      const name = names.get(state);
      return name === undefined ? [] : getOrAdd(counties, state, () => readCounties(state, name));
    },
  };
}

function readCounties(state: string, file: string): readonly CountyOutline[] {
  const topology = JSON.parse(readExplorerText(file)) as CountyTopology; // The build wrote this file.
  return feature(topology, topology.objects.counties).features.map(({ properties, geometry }) => {
    // All outlines are polygons or multipolygons, and both types have the same members.
    return { state, name: properties.name, geometry: geometry as Geometry };
  });
}
