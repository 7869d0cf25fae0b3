// The key of this tab. All pages of the service store it under the same name (D54).

/** The storage name of the key. */
export const KEY_NAME = 'water-data-key';
