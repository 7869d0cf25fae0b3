// The records as a table: the exact total, any depth by scrolling, columns and order to choose. A row opens its record.
// Only the rows that are seen are drawn, and a few around. A table of a million rows would be higher than browsers can
// draw, so above a height the scroll bar stands for the rows by share and not by pixel.

import { useSignal, useSignalEffect } from '@preact/signals';
import type { ComponentChildren, VNode } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import type { Session } from '../../session/session';
import { directionOf, kindOf, nextOrder } from '../../state/kinds';
import { whenResized } from '../parts/browser';
import { Select, type ViewProps } from '../parts/controls';
import { cellText, columnText, isNumberColumn, totalText } from '../parts/texts';

/** Until the element is measured. */
const FIRST_HEIGHT = 600;

export function TableView({ session }: ViewProps): VNode {
  const place = useRef<HTMLDivElement>(null);
  const scrollTop = useSignal(0);
  const viewHeight = useSignal(FIRST_HEIGHT);
  const loaded = session.records.present;
  const { total = 0 } = loaded ?? {};
  useSignalEffect(() => {
    const { first, end } = windowOf(scrollTop.value, viewHeight.value, session.records.present?.total ?? 1);
    session.seenRows.value = [first, Math.max(first, end - 1)];
  });
  useEffect(
    () => () => {
      session.seenRows.value = undefined;
    },
    [session],
  );
  useEffect(
    () =>
      whenResized(place.current, ({ clientHeight }) => {
        viewHeight.value = clientHeight;
      }),
    [viewHeight],
  );
  const { record } = session.state.value;
  useEffect(() => {
    if (record === undefined || place.current === null || total === 0) return;
    const { first, end } = windowOf(place.current.scrollTop, viewHeight.peek(), total);
    if (record < first || record >= end) place.current.scrollTop = scrollTopOf(record, viewHeight.peek(), total);
  }, [record, total, viewHeight]);
  return (
    <div class="table-view">
      <TableChoices session={session} columns={loaded?.columns ?? []} />
      <div
        class="rows"
        ref={place}
        tabIndex={0}
        role="region"
        aria-label="Records"
        onScroll={(event) => {
          scrollTop.value = event.currentTarget.scrollTop;
        }}
      >
        <RecordTable session={session} loaded={loaded} part={windowOf(scrollTop.value, viewHeight.value, total)} />
      </div>
    </div>
  );
}

/** Undefined until there are records of what is filtered. */
type Loaded = Session['records']['present'];

function RecordTable({
  session,
  loaded,
  part: { first, end, above, below },
}: ViewProps & { readonly loaded: Loaded; readonly part: TableWindow }): VNode {
  const { kind, columns } = session.state.value;
  const chosen = columns.length > 0 ? columns : kindOf(kind).columns;
  const shown = chosen.filter((name) => loaded === undefined || loaded.columns.includes(name));
  const indexes = Array.from({ length: end - first }, (_, index) => first + index);
  return (
    <table aria-rowcount={(loaded?.total ?? 0) + 1}>
      <caption class="unseen">
        {loaded === undefined ? 'Records' : totalText(kind, loaded.total)}; the first cell of a row opens the whole
        record
      </caption>
      <thead>
        <tr aria-rowindex={1}>
          {shown.map((name) => (
            <ColumnHead key={name} session={session} name={name} />
          ))}
        </tr>
      </thead>
      <tbody>
        <tr class="spacer" aria-hidden="true" style={{ height: `${above}px` }} />
        {indexes.map((index) => (
          <RecordRow key={index} session={session} index={index} columns={shown} loaded={loaded} />
        ))}
        <tr class="spacer" aria-hidden="true" style={{ height: `${below}px` }} />
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
      {...(direction === undefined || direction === 'none' ? {} : { 'aria-sort': direction })}
    >
      {direction === undefined ? (
        columnText(name)
      ) : (
        <button
          type="button"
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
              <button type="button" class="link" onClick={open}>
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
    <td class="cut" title={text} {...(typeof children === 'string' ? { tabIndex: 0 } : {})}>
      <span>{children}</span>
    </td>
  );
}

function TableChoices({ session, columns }: ViewProps & { readonly columns: readonly string[] }): VNode {
  const { kind, order, columns: chosen } = session.state.value;
  const { orders, columns: usual } = kindOf(kind);
  const shown = chosen.length > 0 ? chosen : usual;
  const choose = (name: string): void => {
    const next = shown.includes(name) ? shown.filter((one) => one !== name) : [...shown, name];
    session.chooseColumns(next);
  };
  return (
    <div class="choices">
      <Select
        label="Order"
        value={order}
        choices={[{ name: '', label: 'As published' }, ...orders]}
        onChoose={(name) => session.setOrder(name)}
      />
      {order !== '' && <span class="soft">within each organization</span>}
      <details class="menu">
        <summary>Columns</summary>
        <div class="menu-content">
          {columns.map((name) => (
            <label key={name} class="choice">
              <input type="checkbox" checked={shown.includes(name)} onChange={() => choose(name)} />
              <span class="text" title={name}>
                {columnText(name)}
              </span>
            </label>
          ))}
        </div>
      </details>
    </div>
  );
}

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
  const height = Math.min(total * ROW_HEIGHT, MOST_HEIGHT);
  const seen = Math.ceil(viewHeight / ROW_HEIGHT);
  const range = Math.max(1, height - viewHeight);
  const share = Math.min(1, Math.max(0, scrollTop / range));
  const top = height < MOST_HEIGHT ? Math.floor(scrollTop / ROW_HEIGHT) : Math.round(share * Math.max(0, total - seen));
  const first = Math.max(0, Math.min(top, total) - ROWS_AROUND);
  const end = Math.min(total, top + seen + ROWS_AROUND);
  const drawn = (end - first) * ROW_HEIGHT;
  const above =
    height < MOST_HEIGHT
      ? first * ROW_HEIGHT
      : Math.max(0, Math.min(scrollTop - (top - first) * ROW_HEIGHT, height - drawn));
  return { first, end, above, below: Math.max(0, height - above - drawn) };
}

/** Where to scroll so that a row is seen. */
function scrollTopOf(row: number, viewHeight: number, total: number): number {
  const height = total * ROW_HEIGHT;
  if (height <= MOST_HEIGHT) return Math.max(0, row * ROW_HEIGHT - viewHeight / 2);
  const seen = Math.ceil(viewHeight / ROW_HEIGHT);
  return (row / Math.max(1, total - seen)) * (MOST_HEIGHT - viewHeight);
}
