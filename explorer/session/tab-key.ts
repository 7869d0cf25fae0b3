// The key of this tab. All pages of the service store it under the same name (D54).

/** The storage name of the key. */
export const KEY_NAME = 'water-data-key';

/** Keys that the page gets for this browser, so that people can look around before they request their own (D56). */
export interface BrowserKeys {
  readonly isOwn: (key: string) => boolean;
  /** Returns a stored key or requests a new one. Empty if the service currently provides no keys. */
  readonly request: (isNew: boolean) => Promise<string>;
}
