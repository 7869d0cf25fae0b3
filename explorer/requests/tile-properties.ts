// Reads the properties of the features of a vector tile (Mapbox Vector Tile 2.1). It skips geometries: the map library
// draws them, and their reader would only make the page's program larger.

import { PbfReader } from 'pbf';

export type TileProperties = Readonly<Record<string, string | number | boolean>>;

/** Field numbers of the format. */
const TILE_LAYER = 3;
const LAYER = { name: 1, feature: 2, key: 3, value: 4 } as const;
const FEATURE_TAGS = 2;

interface Layer {
  name: string;
  /** For each feature, pairs of an index in `keys` and an index in `values`. */
  readonly tags: number[][];
  readonly keys: string[];
  readonly values: (string | number | boolean)[];
}

/** Returns the properties of the features of one layer, in order; empty if the tile does not have the layer. */
export function readTileProperties(tile: Uint8Array, layerName: string): readonly TileProperties[] {
  const layers = new PbfReader(tile).readFields((tag, all: Layer[], reader) => {
    if (tag === TILE_LAYER) all.push(reader.readMessage(readLayerField, { name: '', tags: [], keys: [], values: [] }));
  }, []);
  const layer = layers.find(({ name }) => name === layerName);
  return (layer?.tags ?? []).map((tags) => {
    const properties: Record<string, string | number | boolean> = {};
    for (let index = 0; index < tags.length; index += 2) {
      const key = layer?.keys[tags[index] ?? -1];
      const value = layer?.values[tags[index + 1] ?? -1];
      if (key !== undefined && value !== undefined) properties[key] = value;
    }
    return properties;
  });
}

function readLayerField(tag: number, layer: Layer, reader: PbfReader): void {
  if (tag === LAYER.name) layer.name = reader.readString();
  else if (tag === LAYER.key) layer.keys.push(reader.readString());
  else if (tag === LAYER.value) layer.values.push(readValue(reader));
  else if (tag === LAYER.feature) layer.tags.push(reader.readMessage(readFeatureField, []));
}

function readFeatureField(tag: number, tags: number[], reader: PbfReader): void {
  if (tag === FEATURE_TAGS) reader.readPackedVarint(tags);
}

/** A value has a single field, whose number determines the type of the value. */
function readValue(reader: PbfReader): string | number | boolean {
  let value: string | number | boolean = '';
  const end = reader.readVarint() + reader.pos;
  while (reader.pos < end) {
    switch (reader.readVarint() >> 3) {
      case 1:
        value = reader.readString();
        break;
      case 2:
        value = reader.readFloat();
        break;
      case 3:
        value = reader.readDouble();
        break;
      case 4:
        value = reader.readVarint(true);
        break;
      case 5:
        value = reader.readVarint();
        break;
      case 6:
        value = reader.readSVarint();
        break;
      default:
        value = reader.readBoolean();
    }
  }
  return value;
}
