// What the sections of a feature's page are built from.

import type { GeoJsonFeature, ReleaseStatement } from '../../../render/json-ld';
import type { StateOutline } from './state-outlines';

export interface FeaturePageContext {
  readonly feature: GeoJsonFeature;
  /** The address of the feature, without a format. */
  readonly address: string;
  /** The id of the feature in linked data, which citations use. */
  readonly id: string;
  readonly statement: ReleaseStatement;
  /** The data version. */
  readonly version: string;
  /** The prefix of all paths of the service. */
  readonly base: string;
  /** The states that the map of the feature can show. */
  readonly states: readonly StateOutline[];
}
