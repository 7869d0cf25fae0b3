// The table of rights in order of priority. Only visible rows are rendered; more rows are printed.

import type { Ref, VNode } from 'preact';
import { useEffect, useImperativeHandle, useMemo, useRef, useState } from 'preact/hooks';
import { buildPageUrl } from '../../requests/map-features';
import { getRightNumber, type ListedRight } from '../../requests/seniority';
import type { RankedRight, Relation, SeniorityList } from '../../state/seniority';
import { listen, observeSize } from '../parts/browser';
import { formatNumberShortly } from '../parts/cell-texts';
import type { ViewProps } from '../parts/controls';
import { formatCount, formatQuantity } from '../parts/texts';
import { computeScrollTop, computeWindow, INITIAL_HEIGHT, type TableWindow } from '../table/table-window';

/** The maximum number of printed rows, about 25 pages. */
const MAX_PRINTED = 1000;

const RELATIONS: Readonly<Record<Relation, string>> = {
  this: 'this right',
  senior: 'senior',
  'same day': 'same date',
  junior: 'junior',
  unknown: '',
};

export interface TableScroll {
  /** Scrolls to the right that the list is about, and focuses its row. */
  readonly showOwn: () => void;
}

interface SeniorityTableProps extends ViewProps {
  readonly list: SeniorityList<ListedRight>;
  /** The source or HUC12 that the rights share. */
  readonly title: string;
  readonly scroll: Ref<TableScroll>;
}

type Row = RankedRight<ListedRight>;

export function SeniorityTable({ session, list, title, scroll }: SeniorityTableProps): VNode {
  const { rows } = list;
  const area = useRef<HTMLDivElement>(null);
  const [scrollTop, setScrollTop] = useState(0);
  const [viewHeight, setViewHeight] = useState(INITIAL_HEIGHT);
  const isPrinting = usePrinting();
  const own = rows.findIndex(({ relation }) => relation === 'this');
  const showOwn = (): void => {
    if (area.current !== null) area.current.scrollTop = computeScrollTop(own, viewHeight, rows.length);
  };
  useEffect(() => observeSize(area.current, ({ clientHeight }) => setViewHeight(clientHeight)), []);
  useEffect(showOwn, [list]);
  useImperativeHandle(scroll, () => ({
    showOwn: () => {
      showOwn();
      // The row is rendered after the scrolling.
      requestAnimationFrame(() => setTimeout(() => area.current?.querySelector<HTMLElement>('.own a')?.focus()));
    },
  }));
  const shown = isPrinting ? choosePrinted(own, rows.length) : computeWindow(scrollTop, viewHeight, rows.length);
  return (
    <div
      class="rows"
      ref={area}
      tabIndex={0}
      role="region"
      aria-label="Rights by priority"
      onScroll={({ currentTarget }) => setScrollTop(currentTarget.scrollTop)}
    >
      <RightsTable session={session} list={list} title={title} shown={shown} />
      {isPrinting && rows.length > MAX_PRINTED && (
        <p>
          Rows {formatCount(shown.first + 1)} to {formatCount(shown.end)} of {formatCount(rows.length)}. The CSV file
          has all.
        </p>
      )}
    </div>
  );
}

interface RightsTableProps extends Omit<SeniorityTableProps, 'scroll'> {
  readonly shown: TableWindow;
}

function RightsTable({ session, list: { rows }, title, shown }: RightsTableProps): VNode {
  const columns = useMemo(() => COLUMNS.filter((column) => isColumnUsed(column, rows)), [rows]);
  return (
    <table aria-rowcount={rows.length + 1}>
      <caption class="unseen">{`${title}: ${formatQuantity(rows.length, 'right')}, oldest first`}</caption>
      <thead>
        <tr aria-rowindex={1}>
          {columns.map(({ label, isNumber }) => (
            <th key={label} scope="col" class={isNumber ? 'number' : ''}>
              {label}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        <tr class="spacer" aria-hidden="true" style={{ height: `${shown.above}px` }} />
        {rows.slice(shown.first, shown.end).map((row, index) => (
          <RightRow
            key={shown.first + index}
            session={session}
            row={row}
            index={shown.first + index}
            columns={columns}
          />
        ))}
        <tr class="spacer" aria-hidden="true" style={{ height: `${shown.below}px` }} />
      </tbody>
    </table>
  );
}

interface Column {
  readonly label: string;
  readonly isNumber?: true;
  /** Whether the column is shown even if all its cells are empty. */
  readonly isAlways?: true;
  readonly read: (row: Row) => string;
}

const NAME_COLUMN = 'Water right';

const COLUMNS: readonly Column[] = [
  { label: '#', isNumber: true, read: ({ position }) => (position === undefined ? '' : formatCount(position)) },
  {
    label: 'Priority date',
    isAlways: true,
    read: ({ right, position }) => (position === undefined ? 'none' : right.date),
  },
  { label: 'Standing', read: ({ relation }) => RELATIONS[relation] },
  { label: NAME_COLUMN, isAlways: true, read: ({ right }) => getRightNumber(right) },
  { label: 'Flow (CFS)', isNumber: true, read: ({ right }) => formatAmount(right.flow) },
  { label: 'Running flow (CFS)', isNumber: true, read: ({ flowSum }) => formatAmount(flowSum) },
  { label: 'Volume (AF)', isNumber: true, read: ({ right }) => formatAmount(right.volume) },
  { label: 'Running volume (AF)', isNumber: true, read: ({ volumeSum }) => formatAmount(volumeSum) },
  { label: 'Owner', read: ({ right }) => right.owner },
  { label: 'Use', read: ({ right }) => right.uses },
  { label: 'Legal status', read: ({ right }) => right.status },
  { label: 'Organization', read: ({ right }) => right.organizationName },
];

/** The organization is shown only if there are several. */
function isColumnUsed({ label, isAlways, read }: Column, rows: readonly Row[]): boolean {
  if (label === 'Organization') return new Set(rows.map(read)).size > 1;
  return isAlways === true || rows.some((row) => read(row) !== '');
}

interface RightRowProps extends ViewProps {
  readonly row: Row;
  readonly index: number;
  readonly columns: readonly Column[];
}

function RightRow({ session, row, index, columns }: RightRowProps): VNode {
  const { right } = row;
  const isOwn = row.relation === 'this';
  const address = buildPageUrl(session.client, 'rights', `${right.organization}~${right.identifier}`);
  return (
    <tr aria-rowindex={index + 2} class={isOwn ? 'own open' : ''} aria-current={isOwn ? 'true' : undefined}>
      {columns.map(({ label, isNumber, read }) => {
        const text = read(row);
        if (label !== NAME_COLUMN) {
          return (
            <td
              key={label}
              class={isNumber ? 'number' : ''}
              title={text.length > MAX_CELL_CHARACTERS ? text : undefined}
            >
              {text}
            </td>
          );
        }
        return (
          <th key={label} scope="row">
            <a href={address} target="_blank" rel="noopener">
              {text}
            </a>
          </th>
        );
      })}
    </tr>
  );
}

/** As many characters as fit in a cell. */
const MAX_CELL_CHARACTERS = 30;

export function formatAmount(number: string): string {
  return number === '' ? '' : formatNumberShortly(number);
}

/** The rows around the right that the list is about, or else the first rows. */
function choosePrinted(own: number, total: number): TableWindow {
  const middle = Math.max(0, own) - MAX_PRINTED / 2;
  const first = Math.max(0, Math.min(middle, total - MAX_PRINTED));
  return { first, end: Math.min(total, first + MAX_PRINTED), above: 0, below: 0 };
}

function usePrinting(): boolean {
  const [isPrinting, setPrinting] = useState(false);
  useEffect(() => listen(window, 'beforeprint', () => setPrinting(true)), []);
  useEffect(() => listen(window, 'afterprint', () => setPrinting(false)), []);
  return isPrinting;
}
