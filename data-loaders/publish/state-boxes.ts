// The boxes around the states, and their neighbors.

import type { Box } from '../../shared/values/geometry';
import { WARNING_LIMITS } from '../format/quality-warnings';
import bounds from './state-bounds.json';

/** Keyed by two-letter code. TypeScript infers lists of numbers from the JSON file; each is a box. */
const STATE_BOXES: ReadonlyMap<string, readonly Box[]> = new Map(
  Object.entries(bounds.boxes as Record<string, readonly (readonly number[])[]>) as [string, readonly Box[]][],
);

const MARGIN = WARNING_LIMITS.outsideDegrees;

/**
 * Whether a place is outside the boxes of a state and the margin around them. Always false for a state without a box
 * (US).
 */
export function isOutsideState(state: string, [west, south, east, north]: Box): boolean {
  const boxes = STATE_BOXES.get(state) ?? [];
  const isOutside = boxes.every(([stateWest, stateSouth, stateEast, stateNorth]) => {
    const isBeside = east < stateWest - MARGIN || west > stateEast + MARGIN;
    return isBeside || north < stateSouth - MARGIN || south > stateNorth + MARGIN;
  });
  return boxes.length > 0 && isOutside;
}

/**
 * Keyed by two-letter code: the states with a common border or corner. A test checks that the relation is symmetric.
 */
const NEIGHBORS: ReadonlyMap<string, readonly string[]> = new Map(Object.entries(bounds.neighbours));

/** A state and its neighbors. Empty for a state without a box (US), whose places may be anywhere. */
export function listStatesAround(state: string): readonly string[] {
  return STATE_BOXES.has(state) ? [state, ...(NEIGHBORS.get(state) ?? [])] : [];
}
