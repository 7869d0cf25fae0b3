// The water rights of the area, by use and by decade of priority.

import type { VNode } from 'preact';
import type { Brief, RightsBrief } from '../requests/brief';
import { getFacetValues } from '../requests/facets';
import type { Chart } from '../views/chart/chart';
import { formatCount, formatFigure } from '../views/parts/texts';
import { nameArea } from './area-texts';
import { Picture } from './picture';
import { type ColorOfUse, getTotalRow, listDecades, listUses, type RightsRow } from './rights-figures';

interface RightsSectionProps {
  readonly brief: Brief;
  readonly rights: RightsBrief;
  readonly chart: Chart | undefined;
  readonly getColor: ColorOfUse;
}

export function RightsSection({ brief, rights, chart, getColor }: RightsSectionProps): VNode {
  const columns = listColumns(rights);
  const name = nameArea(brief);
  return (
    <section aria-labelledby="rights">
      <h2 id="rights">Water rights</h2>
      <h3>By beneficial use</h3>
      <UsesTable rights={rights} columns={columns} getColor={getColor} />
      <RecordedValues rights={rights} />
      <h3>By decade of priority</h3>
      {chart !== undefined && (
        <Picture chart={chart} label={`Number of water rights in ${name} by decade of priority and use`} />
      )}
      <RightsTable caption="Water rights by decade of priority" head="Decade" columns={columns}>
        {listDecades(rights).map((row) => (
          <Row key={row.label} row={row} columns={columns} />
        ))}
        <Row row={getTotalRow(rights)} columns={columns} isTotal />
      </RightsTable>
    </section>
  );
}

interface FigureColumn {
  readonly head: string;
  readonly read: (row: RightsRow) => number | null;
}

/** The columns; flow and volume only if any right states them. */
function listColumns(rights: RightsBrief): readonly FigureColumn[] {
  const { flow, volume } = getTotalRow(rights);
  return [
    ...(flow === null ? [] : [{ head: 'Flow (CFS)', read: (row: RightsRow) => row.flow }]),
    ...(volume === null ? [] : [{ head: 'Volume (AF)', read: (row: RightsRow) => row.volume }]),
  ];
}

interface RightsTableProps {
  readonly caption: string;
  readonly head: string;
  readonly columns: readonly FigureColumn[];
  readonly children: (VNode | VNode[])[] | VNode[];
}

function RightsTable({ caption, head, columns, children }: RightsTableProps): VNode {
  return (
    <table>
      <caption class="unseen">{caption}</caption>
      <thead>
        <tr>
          <th scope="col">{head}</th>
          <th scope="col" class="number">
            Rights
          </th>
          {columns.map((column) => (
            <th key={column.head} scope="col" class="number">
              {column.head}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>{children}</tbody>
    </table>
  );
}

function UsesTable({ rights, columns, getColor }: Omit<RightsSectionProps, 'brief' | 'chart'> & ColumnsProps): VNode {
  return (
    <RightsTable caption="Water rights by use category" head="Use category" columns={columns}>
      {listUses(rights, getColor).map((row) => (
        <Row key={row.label} row={row} columns={columns} color={row.color} />
      ))}
      <Row row={getTotalRow(rights)} columns={columns} isTotal />
    </RightsTable>
  );
}

interface ColumnsProps {
  readonly columns: readonly FigureColumn[];
}

interface RowProps extends ColumnsProps {
  readonly row: RightsRow;
  readonly color?: string;
  readonly isTotal?: boolean;
}

function Row({ row, columns, color, isTotal = false }: RowProps): VNode {
  return (
    <tr class={isTotal ? 'total' : undefined}>
      <th scope="row">
        {color !== undefined && <span class="swatch" style={{ background: color }} />} {row.label}
      </th>
      <td class="number">{formatCount(row.rights)}</td>
      {columns.map(({ head, read }) => {
        const figure = read(row);
        return (
          <td key={head} class="number">
            {figure === null ? '–' : formatFigure(figure)}
          </td>
        );
      })}
    </tr>
  );
}

/** The facets whose values are listed. A right may have several values of each. */
const RECORDED = [
  { facet: 'BeneficialUseCV', label: 'Uses as recorded' },
  { facet: 'AllocationLegalStatusCV', label: 'Legal status' },
  { facet: 'WaterSourceTypeCV', label: 'Water source' },
];

/** The maximum number of listed values of a facet. */
const MAX_VALUES = 15;

function RecordedValues({ rights }: { readonly rights: RightsBrief }): VNode {
  return (
    <>
      <dl class="recorded">
        {RECORDED.map(({ facet, label }) => {
          const values = getFacetValues(rights.facets, facet);
          const shown = values.slice(0, MAX_VALUES);
          const more = values.length - shown.length;
          return values.length === 0 ? null : (
            <div key={facet}>
              <dt>{label}</dt>
              <dd>
                {shown.map(({ Value, Count }) => `${Value} ${formatCount(Count)}`).join(', ')}
                {more > 0 && `, and ${formatCount(more)} more`}
              </dd>
            </div>
          );
        })}
      </dl>
      <p class="soft">In this list a right counts under each of its values.</p>
    </>
  );
}
