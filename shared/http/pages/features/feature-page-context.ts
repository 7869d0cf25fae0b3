// The inputs of the sections of a feature's page.

import type { GeoJsonFeature, ReleaseStatement } from '../../../render/json-ld';
import type { StateOutline } from './state-outlines';

export interface FeaturePageContext {
  readonly feature: GeoJsonFeature;
  /** The address of the feature, without a format. */
  readonly address: string;
  /** The id in linked data, by which the feature is cited. */
  readonly id: string;
  readonly statement: ReleaseStatement;
  /** The data version. */
  readonly version: string;
  /** The prefix of all paths of the service. */
  readonly base: string;
  /** The states that its map can show. */
  readonly states: readonly StateOutline[];
}
