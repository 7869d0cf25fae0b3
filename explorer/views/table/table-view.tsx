// The records as a table: the exact total, any depth by scrolling, columns and order to choose. A row opens its record.
// Only the rows that are seen are drawn, and a few around. A table of a million rows would be higher than browsers can
// draw, so above a height the scroll bar stands for the rows by share and not by pixel.

import type { ComponentChildren, VNode } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { Session } from '../../session/session';
import { getKind, getNextOrder, getSortDirection } from '../../state/kinds';
import type { ExplorerState } from '../../state/state';
import { observeSize } from '../parts/browser';
import { Checkbox, Select, type ViewProps } from '../parts/controls';
import { formatCell, formatColumn, formatTotal, isNumberColumn } from '../parts/texts';

export function TableView({ session }: ViewProps): VNode {
  const scrollArea = useRef<HTMLDivElement>(null);
  const [scrollTop, setScrollTop] = useState(0);
  const [viewHeight, setViewHeight] = useState(INITIAL_HEIGHT);
  const { record } = session.state.value;
  const loaded = session.records.fresh;
  const total = loaded?.total ?? 0;
  const tableWindow = computeWindow(scrollTop, viewHeight, total);
  const { first, end } = tableWindow;
  useEffect(() => {
    session.visibleRows.value = [first, Math.max(first, end - 1)];
  }, [session, first, end]);
  useEffect(
    () => () => {
      session.visibleRows.value = undefined;
    },
    [session],
  );
  useEffect(() => observeSize(scrollArea.current, ({ clientHeight }) => setViewHeight(clientHeight)), []);
  useEffect(() => {
    if (record === undefined || scrollArea.current === null || total === 0) return;
    if (record < first || record >= end) scrollArea.current.scrollTop = computeScrollTop(record, viewHeight, total);
  }, [record, total]);
  return (
    <div class="table-view">
      <TableChoices session={session} columns={loaded?.columns ?? []} />
      <div
        class="rows"
        ref={scrollArea}
        tabIndex={0}
        role="region"
        aria-label="Records"
        onScroll={({ currentTarget }) => setScrollTop(currentTarget.scrollTop)}
      >
        <RecordTable session={session} loaded={loaded} tableWindow={tableWindow} />
      </div>
    </div>
  );
}

/** Undefined until there are records of what is filtered. */
type LoadedRecords = Session['records']['fresh'];

function RecordTable(props: ViewProps & { readonly loaded: LoadedRecords; readonly tableWindow: TableWindow }): VNode {
  const { session, loaded, tableWindow } = props;
  const state = session.state.value;
  const shown = getShownColumns(state).filter((name) => loaded === undefined || loaded.columns.includes(name));
  const indexes = Array.from({ length: tableWindow.end - tableWindow.first }, (_, index) => tableWindow.first + index);
  return (
    <table aria-rowcount={(loaded?.total ?? 0) + 1}>
      <caption class="unseen">
        {loaded === undefined ? 'Records' : formatTotal(state.kind, loaded.total)}; the first cell of a row opens the
        whole record
      </caption>
      <thead>
        <tr aria-rowindex={1}>
          {shown.map((name) => (
            <ColumnHead key={name} session={session} name={name} />
          ))}
        </tr>
      </thead>
      <tbody>
        <tr class="spacer" aria-hidden="true" style={{ height: `${tableWindow.above}px` }} />
        {indexes.map((index) => (
          <RecordRow key={index} session={session} index={index} columns={shown} loaded={loaded} />
        ))}
        <tr class="spacer" aria-hidden="true" style={{ height: `${tableWindow.below}px` }} />
      </tbody>
    </table>
  );
}

const DIRECTIONS = {
  ascending: { sign: '↑', says: 'sorted upwards' },
  descending: { sign: '↓', says: 'sorted downwards' },
  none: { sign: '↕', says: 'not sorted' },
} as const;

/** A button where the service sorts by the column. */
function ColumnHead({ session, name }: ViewProps & { readonly name: string }): VNode {
  const { kind, order } = session.state.value;
  const direction = getSortDirection(kind, order, name);
  return (
    <th
      scope="col"
      class={isNumberColumn(name) ? 'number' : ''}
      title={name}
      aria-sort={direction === 'none' ? undefined : direction}
    >
      {direction === undefined ? (
        formatColumn(name)
      ) : (
        <button
          class={`link ${direction}`}
          title={`${name}: ${DIRECTIONS[direction].says}`}
          onClick={() => session.setOrder(getNextOrder(kind, order, name))}
        >
          {formatColumn(name)} <span aria-hidden="true">{DIRECTIONS[direction].sign}</span>
        </button>
      )}
    </th>
  );
}

interface RowProps extends ViewProps {
  readonly index: number;
  readonly columns: readonly string[];
  readonly loaded: LoadedRecords;
}

function RecordRow({ session, index, columns, loaded }: RowProps): VNode {
  const row = loaded?.getRow(index);
  const isOpen = session.state.value.record === index;
  const open = (): void => session.set({ record: index });
  return (
    <tr aria-rowindex={index + 2} class={isOpen ? 'open' : ''} onClick={open}>
      {columns.map((column, at) => {
        const text = formatCell(column, row?.[loaded?.columns.indexOf(column) ?? -1] ?? '');
        return (
          <Cell key={column} column={column} text={text}>
            {at === 0 ? (
              <button class="link" onClick={open}>
                {row === undefined ? '…' : text || `Record ${index + 1}`}
              </button>
            ) : (
              text
            )}
          </Cell>
        );
      })}
    </tr>
  );
}

/** As many characters as the width of a cell shows. */
const MAX_CELL_CHARACTERS = 30;

/** A text that is cut takes the focus, and is then shown whole. */
function Cell({ column, text, children }: { column: string; text: string; children: ComponentChildren }): VNode {
  if (text.length <= MAX_CELL_CHARACTERS) return <td class={isNumberColumn(column) ? 'number' : ''}>{children}</td>;
  return (
    <td class="cut" title={text} tabIndex={typeof children === 'string' ? 0 : undefined}>
      <span>{children}</span>
    </td>
  );
}

function TableChoices({ session, columns }: ViewProps & { readonly columns: readonly string[] }): VNode {
  const { kind, order } = session.state.value;
  const shown = getShownColumns(session.state.value);
  const choose = (name: string): void =>
    session.chooseColumns(shown.includes(name) ? shown.filter((one) => one !== name) : [...shown, name]);
  return (
    <div class="choices">
      <Select
        label="Order"
        value={order}
        choices={[{ name: '', label: 'As published' }, ...getKind(kind).orders]}
        onChoose={(name) => session.setOrder(name)}
      />
      {order !== '' && <span class="soft">within each organization</span>}
      <details class="menu">
        <summary>Columns</summary>
        <div class="menu-content">
          {columns.map((name) => (
            <Checkbox
              key={name}
              label={formatColumn(name)}
              title={name}
              isChecked={shown.includes(name)}
              onChange={() => choose(name)}
            />
          ))}
        </div>
      </details>
    </div>
  );
}

function getShownColumns({ kind, columns }: ExplorerState): readonly string[] {
  return columns.length > 0 ? columns : getKind(kind).columns;
}

/** In pixels, until the element is measured. */
const INITIAL_HEIGHT = 600;

/** In pixels, as the style sheet has it. */
const ROW_HEIGHT = 30;

/** Firefox draws up to 17 million pixels. */
const MAX_HEIGHT = 8_000_000;

const EXTRA_ROWS = 12;

interface TableWindow {
  readonly first: number;
  /** Behind the last row that is drawn. */
  readonly end: number;
  /** Empty heights above and below the rows that are drawn. */
  readonly above: number;
  readonly below: number;
}

function computeWindow(scrollTop: number, viewHeight: number, total: number): TableWindow {
  const { height, ratio } = computeScrolling(viewHeight, total);
  // The head has its height too, so a person can scroll further than the rows go.
  const position = Math.max(0, Math.min(scrollTop, height - viewHeight));
  const top = Math.floor((position * ratio) / ROW_HEIGHT);
  const first = Math.max(0, top - EXTRA_ROWS);
  const end = Math.min(total, top + Math.ceil(viewHeight / ROW_HEIGHT) + EXTRA_ROWS);
  const drawn = (end - first) * ROW_HEIGHT;
  const above = Math.max(0, Math.min(first * ROW_HEIGHT - position * (ratio - 1), height - drawn));
  return { first, end, above, below: height - above - drawn };
}

/** Where to scroll so that a row is in the middle of what is seen. */
function computeScrollTop(row: number, viewHeight: number, total: number): number {
  return Math.max(0, (row * ROW_HEIGHT - viewHeight / 2) / computeScrolling(viewHeight, total).ratio);
}

/** How high the table is drawn, and how many pixels of all its rows each pixel of the scroll bar goes through. */
function computeScrolling(viewHeight: number, total: number): { readonly height: number; readonly ratio: number } {
  const rowsHeight = total * ROW_HEIGHT;
  const height = Math.min(rowsHeight, MAX_HEIGHT);
  return { height, ratio: rowsHeight === height ? 1 : (rowsHeight - viewHeight) / (height - viewHeight) };
}
