// The reasons to hold a submission until someone confirms it (D64).

/** The limits for holding a submission (D64). `holdReasons` explains them. */
export const HOLD_LIMITS = {
  goneShare: 0.2,
  /** The minimum number of missing records, places or links. Fewer can be checked at a glance in the report. */
  minGone: 10,
  majorityShare: 0.5,
  /**
   * The minimum number of records or places to compare. If there are fewer, half of them may have been changed by hand.
   */
  minCompared: 10,
  /**
   * A submission with at least this many places is held if none of them has a usable position (D74). One or two may be
   * typing errors.
   */
  minPlaces: 3,
} as const;

const GONE = `More than ${HOLD_LIMITS.goneShare * 100} percent, and at least ${HOLD_LIMITS.minGone},`;
const MAJORITY = `More than ${HOLD_LIMITS.majorityShare * 100} percent`;

/** The reasons to hold a submission (D64): when it is held, why the limit is what it is, and what to check. */
export const holdReasons = {
  'records-gone': {
    meaning: `${GONE} of the published records are gone. Those that a merge deletes do not count.`,
    because: 'In a normal year, a state discontinues a few percent of its series. A truncated file loses more.',
    look: 'Check that the file is complete, that no identifiers were renamed, and that dates can be read.',
  },
  'places-gone': {
    meaning: `${GONE} of the published sites are gone although the rights that list them stay.`,
    because:
      'It is rare for a site to disappear while its rights stay. Many sites are lost only if sites.csv was truncated or left out.',
    look: 'Check that sites.csv is complete and that no site identifiers were renamed.',
  },
  'place-links-gone': {
    meaning: `${GONE} of the links from rights to sites, or of the relations between sites, would be removed although the rights or the sites stay. Relations that a merge deletes do not count.`,
    because: 'Rights keep their sites for decades. Most links are lost only if a file or a column is missing.',
    look: 'Check the column SiteUUID of waterallocations.csv, and that sites.csv and podsitetopousiterelationships.csv are complete.',
  },
  'positions-gone': {
    meaning: `${GONE} of the published places with coordinates, or of those with a geometry, no longer have any.`,
    because: 'Positions are usually corrected, not removed. Most of them are lost only if a column is missing.',
    look: 'Check the columns Longitude, Latitude and Geometry.',
  },
  'column-unreadable': {
    meaning: `${MAJORITY} of the filled cells of a column (numbers, dates, yes and no, and references that are dropped, such as the sites of rights) could not be read, if the column has at least ${HOLD_LIMITS.minCompared} filled cells. A first submission is held, too.`,
    because:
      'A few typing errors are normal. If most cells of a column cannot be read, there is usually a single cause.',
    look: 'Look at the listed cells, and at the first warning for the column, which says what to write.',
  },
  'column-gone': {
    meaning: `${MAJORITY} of the published values of a column of the data file would be removed although their records stay, if there are at least ${HOLD_LIMITS.minCompared} such values.`,
    because: 'Some values are corrected or removed. Most values of a column are lost only if the column is missing.',
    look: 'Check that the column is in the file, that its name is spelled right, and that its cells are filled.',
  },
  'amounts-changed': {
    meaning: `${MAJORITY} of the records that stay have a different amount.`,
    because: 'Corrections change some amounts. A wrong unit or a shifted column changes most of them.',
    look: 'Check the unit of the amounts, that they can be read, and that no column was shifted or sorted on its own.',
  },
  'positions-unusable': {
    meaning: `${MAJORITY} of the places with coordinates, or of those with a geometry, have no usable position. With fewer than ${HOLD_LIMITS.minCompared} places, but at least ${HOLD_LIMITS.minPlaces}, all of them have none.`,
    because: 'A few typing errors are normal. Most positions become unusable only if their order or unit is wrong.',
    look: 'Check that Longitude and Latitude are in degrees and not swapped, and that geometries are well-known text.',
  },
  'outside-states': {
    meaning: `${MAJORITY} of the places lie outside the organization's state and its neighbors. Places of federal agencies may be anywhere.`,
    because: "Rivers and service areas cross borders, but most of a state's places are inside the state.",
    look: 'Check that Longitude and Latitude are not swapped, and that the longitude has the right sign: it is negative in the West.',
  },
  'priorities-changed': {
    meaning: `${MAJORITY} of the rights that stay have a different priority date.`,
    because:
      'A right keeps its priority date. Most dates change only if columns were mixed up or day and month were swapped.',
    look: 'Check the column AllocationPriorityDate, and whether its dates have the month first.',
  },
} satisfies Readonly<Record<string, { readonly meaning: string; readonly because: string; readonly look: string }>>;

export type HoldReason = keyof typeof holdReasons;
