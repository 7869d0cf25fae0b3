// Smells: a submission is taken, but a person should look at it (submissions.md, 5). Scripts rely on the names.

/** The limits above which something smells. */
export const SMELL_LIMITS = {
  /** The share of the former release's records. */
  shareGone: 0.2,
  /** In longitude or in latitude: 11 km to the north, in the western states 8 to 10 km to the east. */
  movedDegrees: 0.1,
  /** A changed unit or a lost decimal point is a factor like this; a dry year is not. */
  jumpFactor: 100,
  /** Rivers and service areas reach over borders, and the states' boxes come from a generalized map. */
  outsideDegrees: 0.5,
} as const;

const PERCENT_GONE = SMELL_LIMITS.shareGone * 100;

/** When each smell is reported, and how the submitter mends it. */
export const smellTexts = {
  'records-gone': {
    meaning: `More than ${PERCENT_GONE} percent of the records of the former release are gone.`,
    advice:
      'Check that the file is whole. Identifiers that were renamed count as gone too: then the same records stand under "added".',
  },
  'place-moved': {
    meaning: `A site or reporting unit lies more than ${SMELL_LIMITS.movedDegrees} degree from where the former release has it.`,
    advice: 'If the identifier was given to another place, give that place an identifier of its own.',
  },
  'amount-jumped': {
    meaning: `An amount of the same key is ${SMELL_LIMITS.jumpFactor} times or more what it was, or a ${SMELL_LIMITS.jumpFactor}th or less.`,
    advice: 'Check the unit and the decimal point.',
  },
  'timeframes-reversed': {
    meaning: 'Every timeframe starts after it ends.',
    advice: 'Exchange the columns TimeframeStart and TimeframeEnd.',
  },
  'outside-state': {
    meaning: `A site or reporting unit lies more than ${SMELL_LIMITS.outsideDegrees} degrees outside the box around its organization's state.`,
    advice: 'Check that Longitude and Latitude are not exchanged, that the sign is right and that both are in degrees.',
  },
} satisfies Readonly<Record<string, { readonly meaning: string; readonly advice: string }>>;

export const SMELL_NAMES = Object.keys(smellTexts) as (keyof typeof smellTexts)[]; // The names are the type's.
