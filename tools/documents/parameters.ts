// docs/parameters.md: every parameter of every operation, from the declarations in shared/query/.

import { table } from '../../data-loaders/report/markdown-text';
import {
  downloads,
  exportOperations,
  facetsOperations,
  inventory,
  operations,
  totalsOperations,
  type RequestParameters,
} from '../../shared/query/operations';
import { placesOperations } from '../../shared/query/operations';
import { accessKey, type Parameter } from '../../shared/query/parameter';

const INTRODUCTION = `
<!-- Made by "npm run documents" from the declarations in shared/query/. Change those, not this page. -->

# Parameters

Every parameter of every operation. How they combine, what they match and what an answer looks like is in [requests](requests.md). Names match
without regard to letter case; an unknown name is a 400. A parameter that may repeat means any of its values, at most 100.
`;

const COLUMNS = ['Parameter', 'Type', 'Meaning', 'Example', 'Also called'];

type Row = readonly string[];

/** The parameters that stand last on all operations have a table of their own. */
export function parametersDocument(): string {
  const rows = operations.map(rowsOf);
  const common = commonEnd(rows);
  const lines = [
    INTRODUCTION.trim(),
    '',
    ...operations.flatMap(({ route, summary }, index) =>
      section(`GET /${route}`, summary, (rows[index] ?? []).slice(0, -common.length)),
    ),
    ...section('Parameters of all three operations', 'Each of the three takes these as well.', common),
    ...[...totalsOperations, ...facetsOperations].flatMap(({ route, summary, parameters }) => {
      const own = parameters.filter(({ kind }) => kind === 'groupBy' || kind === 'facet').map(parameterRow);
      const takes = `${summary} It takes the filters of the operation that it stands under, DataVersion, format (json or csv), of totals StartIndex and RecordCount over rows, and:`;
      return section(`GET /${route}`, takes, own);
    }),
    ...exportOperations.flatMap(({ route, summary, parameters }) => {
      const own = parameters.filter(({ kind }) => kind === 'exportFormat').map(parameterRow);
      const takes = `${summary} It takes the filters of the operation that it stands under, OrderBy, DataVersion, and:`;
      return section(`GET /${route}`, takes, own);
    }),
    ...[...placesOperations, inventory, downloads].flatMap((one) =>
      section(`GET /${one.route}`, one.summary, rowsOf(one)),
    ),
  ];
  return `${lines.join('\n').trimEnd()}\n`;
}

function rowsOf({ parameters }: RequestParameters): readonly Row[] {
  return [...parameters, accessKey].map(parameterRow);
}

function parameterRow(parameter: Parameter<unknown>): Row {
  const { name, type, isRepeatable, defaultValue, meaning, example, synonyms } = parameter;
  const repeats = isRepeatable ? ', may repeat' : '';
  const standard = defaultValue === undefined ? '' : `, default ${JSON.stringify(defaultValue)}`;
  return [name, `${type}${repeats}${standard}`, meaning, `\`${example}\``, synonyms.join(', ')];
}

/** The longest list of rows with which all lists end. */
function commonEnd([first = [], ...others]: readonly (readonly Row[])[]): readonly Row[] {
  const isCommon = (fromEnd: number): boolean =>
    others.every((other) => other.at(-fromEnd)?.join('|') === first.at(-fromEnd)?.join('|'));
  let count = 0;
  while (count < first.length && isCommon(count + 1)) count++;
  return first.slice(first.length - count);
}

function section(title: string, sentence: string, rows: readonly Row[]): readonly string[] {
  return [`## ${title}`, '', sentence, ...table(COLUMNS, rows)];
}
