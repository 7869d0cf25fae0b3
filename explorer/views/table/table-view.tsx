// The records as a table: the exact total, any depth by scrolling, columns and order to choose. A row opens its record.
// Only the rows that are seen are drawn, and a few around. A table of a million rows would be higher than browsers can
// draw, so above a height the scroll bar stands for the rows by share and not by pixel.

import type { ComponentChildren, VNode } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { Session } from '../../session/session';
import { directionOf, kindOf, nextOrder } from '../../state/kinds';
import type { ExplorerState } from '../../state/state';
import { whenResized } from '../parts/browser';
import { Select, Tick, type ViewProps } from '../parts/controls';
import { cellText, columnText, isNumberColumn, totalText } from '../parts/texts';

export function TableView({ session }: ViewProps): VNode {
  const place = useRef<HTMLDivElement>(null);
  const [scrollTop, setScrollTop] = useState(0);
  const [viewHeight, setViewHeight] = useState(FIRST_HEIGHT);
  const { record } = session.state.value;
  const loaded = session.records.present;
  const total = loaded?.total ?? 0;
  const part = windowOf(scrollTop, viewHeight, total);
  const { first, end } = part;
  useEffect(() => {
    session.seenRows.value = [first, Math.max(first, end - 1)];
  }, [session, first, end]);
  useEffect(
    () => () => {
      session.seenRows.value = undefined;
    },
    [session],
  );
  useEffect(() => whenResized(place.current, ({ clientHeight }) => setViewHeight(clientHeight)), []);
  useEffect(() => {
    if (record === undefined || place.current === null || total === 0) return;
    if (record < first || record >= end) place.current.scrollTop = scrollTopOf(record, viewHeight, total);
  }, [record, total]);
  return (
    <div class="table-view">
      <TableChoices session={session} columns={loaded?.columns ?? []} />
      <div
        class="rows"
        ref={place}
        tabIndex={0}
        role="region"
        aria-label="Records"
        onScroll={({ currentTarget }) => setScrollTop(currentTarget.scrollTop)}
      >
        <RecordTable session={session} loaded={loaded} part={part} />
      </div>
    </div>
  );
}

/** Undefined until there are records of what is filtered. */
type Loaded = Session['records']['present'];

function RecordTable(props: ViewProps & { readonly loaded: Loaded; readonly part: TableWindow }): VNode {
  const { session, loaded, part } = props;
  const state = session.state.value;
  const shown = chosenColumns(state).filter((name) => loaded === undefined || loaded.columns.includes(name));
  const indexes = Array.from({ length: part.end - part.first }, (_, index) => part.first + index);
  return (
    <table aria-rowcount={(loaded?.total ?? 0) + 1}>
      <caption class="unseen">
        {loaded === undefined ? 'Records' : totalText(state.kind, loaded.total)}; the first cell of a row opens the
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
        <tr class="spacer" aria-hidden="true" style={{ height: `${part.above}px` }} />
        {indexes.map((index) => (
          <RecordRow key={index} session={session} index={index} columns={shown} loaded={loaded} />
        ))}
        <tr class="spacer" aria-hidden="true" style={{ height: `${part.below}px` }} />
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
  const direction = directionOf(kind, order, name);
  return (
    <th
      scope="col"
      class={isNumberColumn(name) ? 'number' : ''}
      title={name}
      aria-sort={direction === 'none' ? undefined : direction}
    >
      {direction === undefined ? (
        columnText(name)
      ) : (
        <button
          class={`link ${direction}`}
          title={`${name}: ${DIRECTIONS[direction].says}`}
          onClick={() => session.setOrder(nextOrder(kind, order, name))}
        >
          {columnText(name)} <span aria-hidden="true">{DIRECTIONS[direction].sign}</span>
        </button>
      )}
    </th>
  );
}

interface RowProps extends ViewProps {
  readonly index: number;
  readonly columns: readonly string[];
  readonly loaded: Loaded;
}

function RecordRow({ session, index, columns, loaded }: RowProps): VNode {
  const row = loaded?.rowAt(index);
  const isOpen = session.state.value.record === index;
  const open = (): void => session.set({ record: index });
  return (
    <tr aria-rowindex={index + 2} class={isOpen ? 'open' : ''} onClick={open}>
      {columns.map((column, at) => {
        const text = cellText(column, row?.[loaded?.columns.indexOf(column) ?? -1] ?? '');
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
const CUT_CHARACTERS = 30;

/** A text that is cut takes the focus, and is then shown whole. */
function Cell({ column, text, children }: { column: string; text: string; children: ComponentChildren }): VNode {
  if (text.length <= CUT_CHARACTERS) return <td class={isNumberColumn(column) ? 'number' : ''}>{children}</td>;
  return (
    <td class="cut" title={text} tabIndex={typeof children === 'string' ? 0 : undefined}>
      <span>{children}</span>
    </td>
  );
}

function TableChoices({ session, columns }: ViewProps & { readonly columns: readonly string[] }): VNode {
  const { kind, order } = session.state.value;
  const shown = chosenColumns(session.state.value);
  const choose = (name: string): void =>
    session.chooseColumns(shown.includes(name) ? shown.filter((one) => one !== name) : [...shown, name]);
  return (
    <div class="choices">
      <Select
        label="Order"
        value={order}
        choices={[{ name: '', label: 'As published' }, ...kindOf(kind).orders]}
        onChoose={(name) => session.setOrder(name)}
      />
      {order !== '' && <span class="soft">within each organization</span>}
      <details class="menu">
        <summary>Columns</summary>
        <div class="menu-content">
          {columns.map((name) => (
            <Tick
              key={name}
              label={columnText(name)}
              title={name}
              isTicked={shown.includes(name)}
              onChange={() => choose(name)}
            />
          ))}
        </div>
      </details>
    </div>
  );
}

function chosenColumns({ kind, columns }: ExplorerState): readonly string[] {
  return columns.length > 0 ? columns : kindOf(kind).columns;
}

/** In pixels, until the element is measured. */
const FIRST_HEIGHT = 600;

/** In pixels, as the style sheet has it. */
const ROW_HEIGHT = 30;

/** Firefox draws up to 17 million pixels. */
const MOST_HEIGHT = 8_000_000;

const ROWS_AROUND = 12;

interface TableWindow {
  readonly first: number;
  /** Behind the last row that is drawn. */
  readonly end: number;
  /** Empty heights above and below the rows that are drawn. */
  readonly above: number;
  readonly below: number;
}

function windowOf(scrollTop: number, viewHeight: number, total: number): TableWindow {
  const { height, ratio } = scrollingOf(viewHeight, total);
  // The head has its height too, so a person can scroll further than the rows go.
  const reached = Math.max(0, Math.min(scrollTop, height - viewHeight));
  const top = Math.floor((reached * ratio) / ROW_HEIGHT);
  const first = Math.max(0, top - ROWS_AROUND);
  const end = Math.min(total, top + Math.ceil(viewHeight / ROW_HEIGHT) + ROWS_AROUND);
  const drawn = (end - first) * ROW_HEIGHT;
  const above = Math.max(0, Math.min(first * ROW_HEIGHT - reached * (ratio - 1), height - drawn));
  return { first, end, above, below: height - above - drawn };
}

/** Where to scroll so that a row is in the middle of what is seen. */
function scrollTopOf(row: number, viewHeight: number, total: number): number {
  return Math.max(0, (row * ROW_HEIGHT - viewHeight / 2) / scrollingOf(viewHeight, total).ratio);
}

/** How high the table is drawn, and how many pixels of all its rows each pixel of the scroll bar goes through. */
function scrollingOf(viewHeight: number, total: number): { readonly height: number; readonly ratio: number } {
  const whole = total * ROW_HEIGHT;
  const height = Math.min(whole, MOST_HEIGHT);
  return { height, ratio: whole === height ? 1 : (whole - viewHeight) / (height - viewHeight) };
}
