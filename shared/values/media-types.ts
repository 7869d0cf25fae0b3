// The media types of the forms of answers and files, by the names of the forms.

export const MEDIA_TYPES = {
  json: 'application/json',
  csv: 'text/csv',
  geojson: 'application/geo+json',
  parquet: 'application/vnd.apache.parquet',
  'csv.gz': 'application/gzip',
} as const;

/** The feed of what is published (D59), and how pages and answers link to it. */
export const FEED = { path: 'releases.atom', type: 'application/atom+xml', title: 'What was published' } as const;

export const TILE_TYPE = 'application/vnd.mapbox-vector-tile';

export type MediaFormat = keyof typeof MEDIA_TYPES;
