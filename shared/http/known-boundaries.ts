// Geometries that were read lately: each page of a walk brings the same text, and to read 5,000 positions costs more than the page. The
// text itself is not kept: it may be a part of a request line that is far longer, and would keep all of it.

import { ByteBoundedCache } from '../values/byte-bounded-cache';
import { readBoundary } from '../values/boundary/boundary';
import type { SearchArea } from '../values/boundary/boundary-names';
import { digestNameOf } from '../values/digest';
import type { Result } from '../values/result';

/** Some hundreds of boundaries as people draw them, or a dozen of the largest. */
const MOST_BYTES = 8 * 1024 * 1024;

/** What coordinates take in memory for each character of their text. */
const BYTES_A_CHARACTER = 4;

/** Reads as `readBoundary` does; the same text gives the same object. */
export function rememberBoundaries(): (text: string) => Result<SearchArea> {
  const known = new ByteBoundedCache<Result<SearchArea>>(MOST_BYTES);
  return (text) => {
    const digest = digestNameOf(text);
    const remembered = known.get(digest);
    if (remembered !== undefined) return remembered;
    const read = readBoundary(text);
    if (read.ok && read.value.form === 'geometry') known.set(digest, read, BYTES_A_CHARACTER * text.length);
    return read;
  };
}
