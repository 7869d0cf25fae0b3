// Generates names about as long and as varied as those in submissions of states. Each number has its own name.

import { benchmarkCounties } from './benchmark-places';

/** The number of distinct owners and water sources. */
export const MAX_OWNERS = 30_000;
export const MAX_WATER_SOURCES = 7000;

const OWNER_KINDS = [
  'Land and Cattle Company',
  'Irrigation and Reservoir Company',
  'Ranch Limited Partnership',
  'Mutual Water Users Association',
  'Family Farms LLC',
  'Ditch Company',
  'Improvement District',
  'Homeowners Association Inc',
  'Revocable Trust',
  'Metropolitan Water Conservancy District',
] as const;

const LANDFORMS = [
  'Bench',
  'Bottoms',
  'Butte',
  'Canyon',
  'Cove',
  'Divide',
  'Fork',
  'Glade',
  'Grove',
  'Gulch',
  'Heights',
  'Hill',
  'Knoll',
  'Ledge',
  'Meadows',
  'Narrows',
  'Park',
  'Pass',
  'Point',
  'Prairie',
  'Ridge',
  'Slope',
  'Springs',
  'Valley',
  'Willows',
] as const;

const WATER_KINDS = [
  'Creek',
  'Unnamed Tributary of the South Fork',
  'Alluvial Aquifer',
  'Irrigation Canal and Lateral',
  'Reservoir',
  'Underground Water Well',
  'Spring Area',
  'North Fork',
] as const;

const PLACES = benchmarkCounties.length * LANDFORMS.length;

export function nameOwner(number: number): string {
  return `${namePlace(number)} ${pickInTurn(OWNER_KINDS, Math.floor(number / PLACES))}`;
}

export function nameWaterSource(number: number): string {
  return `${namePlace(number)} ${pickInTurn(WATER_KINDS, Math.floor(number / PLACES))}`;
}

/** Names a place. There are `PLACES` different names. */
function namePlace(number: number): string {
  const county = pickInTurn(benchmarkCounties, number);
  return `${county} ${pickInTurn(LANDFORMS, Math.floor(number / benchmarkCounties.length))}`;
}

/** Starts over after the last item. */
function pickInTurn(items: readonly string[], position: number): string {
  return items[position % items.length] ?? '';
}
