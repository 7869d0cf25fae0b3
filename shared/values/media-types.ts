// The media types of the forms of answers and files, by the names of the forms.

export const MEDIA_TYPES = {
  json: 'application/json',
  csv: 'text/csv',
  geojson: 'application/geo+json',
  parquet: 'application/vnd.apache.parquet',
  'csv.gz': 'application/gzip',
} as const;

export const TILE_TYPE = 'application/vnd.mapbox-vector-tile';

export type MediaForm = keyof typeof MEDIA_TYPES;
