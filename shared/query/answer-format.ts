// The form of an answer (ADR 0033). It changes nothing about which records are in it.

import { failure, success } from '../values/result';
import type { Parameter } from './parameter';

/** The first is what a client gets that does not say. */
export const ANSWER_FORMATS = ['json', 'csv', 'geojson'] as const;

export type AnswerFormat = (typeof ANSWER_FORMATS)[number];

/** For sentences. */
export const FORMAT_LIST = `${ANSWER_FORMATS.slice(0, -1).join(', ')} or ${ANSWER_FORMATS.slice(-1).join()}`;

export const answerFormat: Parameter<AnswerFormat> = {
  name: 'format',
  synonyms: [],
  isRepeatable: false,
  type: 'string',
  meaning: `Form of the answer: ${FORMAT_LIST}; without it the header Accept decides.`,
  example: 'csv',
  limits: { enum: ANSWER_FORMATS },
  read: (text) => {
    const format = ANSWER_FORMATS.find((name) => name === text.toLowerCase());
    return format === undefined ? failure(`must be ${FORMAT_LIST}`) : success(format);
  },
};
