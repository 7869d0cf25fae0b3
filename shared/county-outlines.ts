// Reads the outlines of counties that the build wrote for the explorer, each state when it is first needed.

import { feature } from 'topojson-client';
import type { GeometryCollection, Topology } from 'topojson-specification';
import { readExplorerFileNames, readExplorerText } from './explorer-build';
import type { CountyOutline, CountyOutlines } from './values/county-outlines';
import type { Geometry } from './values/geometry';
import { getOrAdd } from './values/maps';

type CountyTopology = Topology<{ readonly counties: GeometryCollection<{ readonly name: string }> }>;

/** Has no counties if the project is not built. */
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
    // Outlines are only areas, and the members of both types are the same.
    return { state, name: properties.name, geometry: geometry as Geometry };
  });
}
