// The media types of the formats of answers and files.

export const MEDIA_TYPES = {
  json: 'application/json',
  csv: 'text/csv',
  geojson: 'application/geo+json',
  parquet: 'application/vnd.apache.parquet',
  'csv.gz': 'application/gzip',
} as const;

/** The feed of publications (D59), as pages and answers link to it. */
export const FEED = { path: 'releases.atom', type: 'application/atom+xml', title: 'What was published' } as const;

export const TILE_TYPE = 'application/vnd.mapbox-vector-tile';

export type MediaFormat = keyof typeof MEDIA_TYPES;
