// The table view: any depth by scrolling, with a choice of columns and order. Only visible rows and a few around them
// are rendered.

import type { ComponentChildren, VNode } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { Session } from '../../session/session';
import { getKind } from '../../state/kinds';
import type { ExplorerState } from '../../state/state';
import { getNextOrder, getSortDirection } from '../../state/table-order';
import { buildTitle } from '../../state/titles';
import { observeSize } from '../parts/browser';
import { formatCellShortly, formatColumn, isNumberColumn } from '../parts/cell-texts';
import { Checkbox, Select, type ViewProps } from '../parts/controls';
import { formatTotal } from '../parts/texts';
import { computeScrollTop, computeWindow, INITIAL_HEIGHT, type TableWindow } from './table-window';

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

/** Undefined until records of the current filters arrive. */
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
  ascending: { sign: '↑', says: 'sorted ascending' },
  descending: { sign: '↓', says: 'sorted descending' },
  none: { sign: '↕', says: 'not sorted' },
} as const;

/** A button if the service can sort by the column. */
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
  const { kind, record } = session.state.value;
  const isOpen = record === index;
  const open = (): void => session.set({ record: index });
  return (
    <tr aria-rowindex={index + 2} class={isOpen ? 'open' : ''} onClick={open}>
      {columns.map((column, at) => {
        const cell = row?.[loaded?.columns.indexOf(column) ?? -1] ?? '';
        const text = formatCellShortly(column, cell);
        const title = (): string => buildTitle(kind, (name) => row?.[loaded?.columns.indexOf(name) ?? -1] ?? '');
        return (
          <Cell key={column} column={column} text={text}>
            {at === 0 ? (
              <button class="link" onClick={open}>
                {row === undefined ? '…' : text || title()}
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

/** As many characters as fit in a cell. */
const MAX_CELL_CHARACTERS = 30;

/** A truncated cell can be focused, which shows its full text. */
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
        label="Sort by"
        value={order}
        choices={[{ name: '', label: 'as published' }, ...getKind(kind).orders]}
        onChoose={(name) => session.setOrder(name)}
      />
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
