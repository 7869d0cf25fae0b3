// The answer in its other formats, as OpenAPI describes them (ADR 0033).

import { answerWriters } from '../../../shared/answer/answer-writers';

const csv = {
  type: 'string',
  description:
    "One row for each record: the organization, the record's members, then what its place, variable, method, water source and uses add. " +
    'Lists stand in one cell, joined with `|` (`\\|` and `\\\\` within an item). A text cell that a spreadsheet would run as a formula ' +
    'begins with an apostrophe; remove one leading apostrophe to undo it.',
};

const count = { type: 'integer', minimum: 0 };

const feature = {
  type: 'object',
  required: ['type', 'id', 'geometry', 'properties'],
  properties: {
    type: { const: 'Feature' },
    id: { type: 'string', description: 'The same for the same record and place, through publishes.' },
    geometry: { type: ['object', 'null'], description: 'Longitude, then latitude, WGS 84; null without a place.' },
    properties: { type: 'object', description: "The record's members, its organization and its place." },
  },
};

const geojson = {
  type: 'object',
  description: 'A feature for each record and place: a right with three sites has three.',
  required: ['type', 'numberMatched', 'numberReturned', 'features'],
  properties: {
    type: { const: 'FeatureCollection' },
    numberMatched: { ...count, description: 'How many records match, over all pages.' },
    numberReturned: { ...count, description: 'How many records are on this page.' },
    features: { type: 'array', items: feature },
  },
};

export const otherContents: Readonly<Record<string, object>> = {
  [answerWriters.csv.mediaType]: { schema: csv },
  [answerWriters.geojson.mediaType]: { schema: geojson },
};
