// Whether a place lies in its organization's state, as far as the state's bounding box can tell.

import type { Box } from '../../../shared/values/geometry';
import { SMELL_LIMITS } from '../../format/smell-texts';
import bounds from './state-bounds.json';

const { outsideDegrees: MARGIN } = SMELL_LIMITS;

const BOXES: Readonly<Record<string, readonly (readonly number[])[]>> = bounds.boxes;

/** `state` is a two-letter code; one without a box (US) has its places anywhere. Touching is not outside. */
export function isOutsideState(state: string, [west, south, east, north]: Box): boolean {
  const boxes = BOXES[state];
  if (boxes === undefined) return false;
  return boxes.every(([stateWest = 0, stateSouth = 0, stateEast = 0, stateNorth = 0]) => {
    const isBeside = east < stateWest - MARGIN || west > stateEast + MARGIN;
    return isBeside || north < stateSouth - MARGIN || south > stateNorth + MARGIN;
  });
}
