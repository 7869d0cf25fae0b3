// A query parameter, declared once: its name, how one value of it is read, and what documentation says of it.

import type { SearchArea } from '../values/boundary/boundary-names';
import type { SlashDateOrder } from '../values/dates';
import type { Result } from '../values/result';

/** What reading depends on beside the text. */
export interface ReadingSettings {
  /** As the operator set it. */
  readonly slashDateOrder: SlashDateOrder;
  /** `readBoundary`, or what remembers its results. */
  readonly readBoundary?: (text: string) => Result<SearchArea>;
}

/** What JSON Schema can say of a value, for documentation and for tests that draw values; `read` decides. */
export interface ValueLimits {
  readonly minimum?: number;
  readonly maximum?: number;
  readonly pattern?: string;
  /** In one letter case, where any is read. */
  readonly enum?: readonly string[];
}

export interface Parameter<Value> {
  /** As documentation and errors spell it; matched without regard to case (D1). */
  readonly name: string;
  /** Other names of the same parameter. */
  readonly synonyms: readonly string[];
  /** Whether it may be given several times, meaning any of the values (D3). */
  readonly isRepeatable: boolean;
  readonly type: 'string' | 'integer';
  /** One sentence for documentation. */
  readonly meaning: string;
  readonly example: string;
  readonly limits?: ValueLimits;
  /** What a client that leaves it out gets, where that is a value. */
  readonly defaultValue?: Value;
  /** Reads one value, trimmed and not blank. A problem is a sentence that follows the parameter's name. */
  readonly read: (text: string, settings: ReadingSettings) => Result<Value>;
}

/** The same parameter under the name that another operation spells it with; the first name stays as a synonym. */
export function renamed<Value>(parameter: Parameter<Value>, name: string): Parameter<Value> {
  const synonyms = [parameter.name, ...parameter.synonyms].filter(
    (other) => other.toLowerCase() !== name.toLowerCase(),
  );
  return { ...parameter, name, synonyms };
}
