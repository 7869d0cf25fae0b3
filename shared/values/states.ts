// The two-letter postal abbreviations that D10 allows, with their names.

const NAMES: Readonly<Record<string, string>> = {
  AL: 'Alabama',
  AK: 'Alaska',
  AZ: 'Arizona',
  AR: 'Arkansas',
  CA: 'California',
  CO: 'Colorado',
  CT: 'Connecticut',
  DE: 'Delaware',
  FL: 'Florida',
  GA: 'Georgia',
  HI: 'Hawaii',
  ID: 'Idaho',
  IL: 'Illinois',
  IN: 'Indiana',
  IA: 'Iowa',
  KS: 'Kansas',
  KY: 'Kentucky',
  LA: 'Louisiana',
  ME: 'Maine',
  MD: 'Maryland',
  MA: 'Massachusetts',
  MI: 'Michigan',
  MN: 'Minnesota',
  MS: 'Mississippi',
  MO: 'Missouri',
  MT: 'Montana',
  NE: 'Nebraska',
  NV: 'Nevada',
  NH: 'New Hampshire',
  NJ: 'New Jersey',
  NM: 'New Mexico',
  NY: 'New York',
  NC: 'North Carolina',
  ND: 'North Dakota',
  OH: 'Ohio',
  OK: 'Oklahoma',
  OR: 'Oregon',
  PA: 'Pennsylvania',
  RI: 'Rhode Island',
  SC: 'South Carolina',
  SD: 'South Dakota',
  TN: 'Tennessee',
  TX: 'Texas',
  UT: 'Utah',
  VT: 'Vermont',
  VA: 'Virginia',
  WA: 'Washington',
  WV: 'West Virginia',
  WI: 'Wisconsin',
  WY: 'Wyoming',
  DC: 'District of Columbia',
  AS: 'American Samoa',
  GU: 'Guam',
  MP: 'Northern Mariana Islands',
  PR: 'Puerto Rico',
  VI: 'U.S. Virgin Islands',
  US: 'United States',
};

const CODES_BY_NAME: ReadonlyMap<string, string> = new Map(
  Object.entries(NAMES).map(([code, name]) => [name.toLowerCase(), code]),
);

/** Letter case is ignored. */
export const STATE_CODE_SHAPE = /^[A-Za-z]{2}$/;

/** Reads an abbreviation in any letter case and returns it in capitals. Undefined when D10 does not allow it. */
export function readStateCode(text: string): string | undefined {
  // Some single characters become two letters in upper case, so the syntax is checked first.
  const code = STATE_CODE_SHAPE.test(text) ? text.toUpperCase() : '';
  return Object.hasOwn(NAMES, code) ? code : undefined;
}

/** Finds the abbreviation for a StateCV, which may be an abbreviation or a name. Undefined for anything else. */
export function findStateCode(stateCv: string): string | undefined {
  return readStateCode(stateCv) ?? CODES_BY_NAME.get(stateCv.toLowerCase());
}

/** Returns the full name of an abbreviation that `readStateCode` returned. */
export function getStateName(code: string): string {
  const name = NAMES[code];
  if (name === undefined) throw new Error(`not a state code: ${code}`);
  return name;
}
