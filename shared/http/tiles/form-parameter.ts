// The parameter `f`, by which OGC API - Tiles lets a client name the form of an answer.

import { shownText } from '../../query/parameter';
import { splitQuery, type ParameterError, type QueryItem } from '../../query/query-values';

const NAME = 'f';

/** How many characters of a value an error repeats. */
const MOST_SHOWN = 200;

interface SplitForm {
  /** In lower case; undefined when none was named. */
  readonly form: string | undefined;
  /** The other items of the query. */
  readonly items: readonly QueryItem[];
  readonly errors: readonly ParameterError[];
}

/** `forms` are those that there are. */
export function splitForm(query: string, forms: readonly string[]): SplitForm {
  const all = splitQuery(query);
  const isForm = ({ name }: QueryItem): boolean => name.trim().toLowerCase() === NAME;
  const values = all.filter(isForm).map(({ value }) => value.trim().toLowerCase());
  const unknown = values.filter((value) => !forms.includes(value));
  const problems = [
    ...unknown.map((value) => ({ message: `must be ${forms.join(' or ')}`, value: shownText(value, MOST_SHOWN) })),
    ...(values.length > 1 ? [{ message: 'may stand only once', value: '' }] : []),
  ];
  return {
    form: values[0],
    items: all.filter((item) => !isForm(item)),
    errors: problems.map((problem) => ({ parameter: NAME, ...problem })),
  };
}
