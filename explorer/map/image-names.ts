// Names of the images that the map draws when the library reports them missing.

/** Separates the count, the radius in map pixels, and the shares in the name of a ring image. */
export const RING_NAME_SEPARATOR = '|';

/** The name of the town dot image. */
export const TOWN_IMAGE = 'town';
