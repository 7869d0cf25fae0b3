// Which form of an answer a client takes, by its header Accept (RFC 9110, section 12.5.1).

import { answerWriters } from '../answer/answer-writers';
import { ANSWER_FORMATS, type AnswerFormat } from '../query/answer-format';
import { readPreferences, type Preference } from './preferences';

/**
 * The most wanted format; of equally wanted ones that which is named more exactly, then earlier, then JSON first: a browser, which
 * takes anything after HTML, gets JSON. Undefined when no format is wanted.
 */
export function negotiateFormat(accept: string | null): AnswerFormat | undefined {
  const preferences = readPreferences(accept ?? '');
  if (preferences.length === 0) return ANSWER_FORMATS[0];
  const wanted = ANSWER_FORMATS.map((format) => ({
    format,
    ...preferenceFor(answerWriters[format].mediaType, preferences),
  }))
    .filter(({ weight }) => weight > 0)
    .sort((a, b) => b.weight - a.weight || b.exactness - a.exactness || a.position - b.position);
  return wanted[0]?.format;
}

interface Match {
  readonly weight: number;
  /** 3 for the media type itself, 2 for all of its kind, 1 for anything. */
  readonly exactness: number;
  readonly position: number;
}

/** The most exact preference decides about a media type, not the one with the highest weight. */
function preferenceFor(mediaType: string, preferences: readonly Preference[]): Match {
  let best: Match = { weight: 0, exactness: 0, position: 0 };
  for (const [position, { name, weight }] of preferences.entries()) {
    const exactness = exactnessOf(name, mediaType);
    if (exactness > best.exactness) best = { weight, exactness, position };
  }
  return best;
}

function exactnessOf(range: string, mediaType: string): number {
  if (range === mediaType) return 3;
  if (range === `${mediaType.slice(0, mediaType.indexOf('/'))}/*`) return 2;
  // Java's own client writes a single star.
  return range === '*/*' || range === '*' ? 1 : 0;
}
