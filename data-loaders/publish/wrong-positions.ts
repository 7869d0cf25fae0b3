// Counts misplaced positions and their likely causes.

import type { Box } from '../../shared/values/geometry';
import { readNumber } from '../../shared/values/numbers';
import { readPoint } from '../../shared/values/site-point';
import type { ObservedPlace } from '../build/release-observer';
import { CountedExamples } from '../format/counted-examples';
import type { Hold } from '../format/report';
import { formatNumber } from '../format/report-numbers';

/** Projected coordinates in meters are far larger than degrees. */
const MIN_PROJECTED_METERS = 1000;

/** Misplaced positions, counted by the error that they look like. */
export class WrongPositions extends CountedExamples<Hold['examples'][number]> {
  of = 0;
  private exchanged = 0;
  private projected = 0;

  constructor(private readonly placeMember: string) {
    super();
  }

  /** `isInside` returns whether a point is near the organization's state. */
  addPosition(id: string, texts: ObservedPlace['coordinates'], isInside: (point: Box) => boolean): void {
    const [longitude, latitude] = texts;
    this.addPlace(id, null, texts.map((text) => text ?? '(empty)').join(' '));
    const swapped = readPoint(latitude, longitude);
    if (swapped !== undefined && isInside(toBox(swapped))) this.exchanged++;
    else if (texts.some((text) => Math.abs(readNumber(text ?? '') ?? 0) > MIN_PROJECTED_METERS)) this.projected++;
  }

  /** Adds a place with an unusable geometry. The warning on its row explains the problem. */
  addUnusable(id: string): void {
    this.addPlace(id, 'Geometry', 'cannot be used');
  }

  private addPlace(id: string, member: string | null, after: string): void {
    this.add(() => ({ identity: { [this.placeMember]: id }, member, before: null, after }));
  }

  /** The likely causes, to append to a sentence. */
  describeCauses(): string {
    const exchanged = `Longitude and Latitude look swapped in ${formatNumber(this.exchanged)} of them.`;
    const projected = `The coordinates of ${formatNumber(this.projected)} of them look like meters of a projection, not degrees.`;
    return `${this.exchanged > 0 ? ` ${exchanged}` : ''}${this.projected > 0 ? ` ${projected}` : ''}`;
  }
}

function toBox({ longitude, latitude }: { readonly longitude: number; readonly latitude: number }): Box {
  return [longitude, latitude, longitude, latitude];
}
