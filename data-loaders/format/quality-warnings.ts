// The data-quality warnings about a release (submissions.md, 5). They do not block publication, but a person should
// check them.

/** The limits above which a release gets a data-quality warning. */
export const WARNING_LIMITS = {
  /** The share of the previous release's records that are missing. */
  shareGone: 0.2,
  /**
   * A change in longitude or latitude: 11 km to the north or south, and 8 to 10 km to the east or west in the western
   * states.
   */
  movedDegrees: 0.1,
  /** A factor that a changed unit or a lost decimal point can cause, but a dry year cannot. */
  jumpFactor: 100,
  /**
   * The margin around a state, needed because rivers and service areas cross borders, and because the states' boxes
   * come from a generalized map.
   */
  outsideDegrees: 0.5,
} as const;

const MAX_PERCENT_GONE = WARNING_LIMITS.shareGone * 100;

/** The quality warnings: when each applies, and what the submitter should do. */
export const qualityWarnings = {
  'records-gone': {
    meaning: `More than ${MAX_PERCENT_GONE} percent of the records of the previous release are gone.`,
    advice:
      'Check that the file is complete. Records whose identifiers were renamed also count as gone, and are then listed as added.',
  },
  'place-moved': {
    meaning: `A site or reporting unit is more than ${WARNING_LIMITS.movedDegrees} degree from its position in the previous release.`,
    advice: 'If the identifier is now used for another place, give that place its own identifier.',
  },
  'amount-jumped': {
    meaning: `An amount is at least ${WARNING_LIMITS.jumpFactor} times its previous value, or at most a ${WARNING_LIMITS.jumpFactor}th of it.`,
    advice: 'Check the unit and the decimal point.',
  },
  'timeframes-reversed': {
    meaning: 'Every timeframe starts after it ends.',
    advice: 'Swap the columns TimeframeStart and TimeframeEnd.',
  },
  'priority-of-two-digits': {
    meaning: 'Priority dates have two-digit years, which are read as 1930 to 2029.',
    advice: 'Write the years with four digits: an old right may have become the most junior one.',
  },
  'priority-to-come': {
    meaning: 'A priority date is after the day of the submission.',
    advice: 'Correct the date: a priority date cannot be in the future.',
  },
  'outside-state': {
    meaning: `A site or reporting unit is more than ${WARNING_LIMITS.outsideDegrees} degrees outside the box around its organization's state.`,
    advice:
      'Check that Longitude and Latitude are not swapped, that their signs are right and that both are in degrees.',
  },
} satisfies Readonly<Record<string, { readonly meaning: string; readonly advice: string }>>;

export type QualityWarningName = keyof typeof qualityWarnings;
