// Names of states by the abbreviations in the data: people look for Utah, not UT. The explorer imports nothing from the
// service, so a test compares these names with the service's.

const NAMES =
  'AL Alabama,AK Alaska,AZ Arizona,AR Arkansas,CA California,CO Colorado,CT Connecticut,DE Delaware,' +
  'DC District of Columbia,FL Florida,GA Georgia,HI Hawaii,ID Idaho,IL Illinois,IN Indiana,IA Iowa,KS Kansas,' +
  'KY Kentucky,LA Louisiana,ME Maine,MD Maryland,MA Massachusetts,MI Michigan,MN Minnesota,MS Mississippi,' +
  'MO Missouri,MT Montana,NE Nebraska,NV Nevada,NH New Hampshire,NJ New Jersey,NM New Mexico,NY New York,' +
  'NC North Carolina,ND North Dakota,OH Ohio,OK Oklahoma,OR Oregon,PA Pennsylvania,PR Puerto Rico,RI Rhode Island,' +
  'SC South Carolina,SD South Dakota,TN Tennessee,TX Texas,UT Utah,VT Vermont,VA Virginia,WA Washington,' +
  'WV West Virginia,WI Wisconsin,WY Wyoming,AS American Samoa,GU Guam,MP Northern Mariana Islands,' +
  'VI U.S. Virgin Islands,US United States';

const NAMES_BY_ABBREVIATION = new Map(NAMES.split(',').map((text) => [text.slice(0, 2), text.slice(3)] as const));

const ABBREVIATIONS_BY_NAME = new Map([...NAMES_BY_ABBREVIATION].map(([abbreviation, name]) => [name, abbreviation]));

/** Undefined if it is not the name of a state. */
export function getStateAbbreviation(name: string): string | undefined {
  return ABBREVIATIONS_BY_NAME.get(name);
}

/** Returns the abbreviation itself if it is not a state's. */
export function getStateName(abbreviation: string): string {
  return NAMES_BY_ABBREVIATION.get(abbreviation.toUpperCase()) ?? abbreviation;
}
