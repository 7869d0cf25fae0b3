// The order and the columns of the table.

import type { VNode } from 'preact';
import { kindOf } from '../../state/kinds';
import { columnText } from '../parts/cells';
import { Select } from '../parts/controls';
import type { ViewProps } from '../parts/view-props';

export function TableChoices({ session, columns }: ViewProps & { readonly columns: readonly string[] }): VNode {
  const { kind, table } = session.state.value;
  const { orders, columns: usual } = kindOf(kind);
  const shown = table.columns.length > 0 ? table.columns : usual;
  const choose = (name: string): void => {
    const next = shown.includes(name) ? shown.filter((one) => one !== name) : [...shown, name];
    session.chooseColumns(next);
  };
  return (
    <div class="choices">
      <Select
        label="Order"
        value={table.order}
        choices={[{ name: '', label: 'As published' }, ...orders]}
        onChoose={(order) => session.setOrder(order)}
      />
      {table.order !== '' && <span class="soft">within each organization</span>}
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
