// The records that the table and the panel of the open record request.

import type { ServiceClient } from '../requests/client';
import { fetchRecords } from '../requests/records';
import type { ExplorerState, OrderedSelection } from '../state/state';
import { toOrderedSelection } from './questions';

/** Rows loaded before and after the visible ones, so that scrolling can continue. */
const ROWS_AROUND = 50;

/** The first and last visible rows; undefined while there is no table. */
export type VisibleRows = readonly [first: number, last: number] | undefined;

interface RowRange {
  readonly start: number;
  readonly count: number;
}

type RecordsQuestion = OrderedSelection & RowRange;

export class TableRecords {
  private lastQuestion: RecordsQuestion | undefined;

  /** Selects the records in and around the visible rows. */
  selectRows(state: ExplorerState, visibleRows: VisibleRows): RecordsQuestion | undefined {
    return visibleRows && { ...toOrderedSelection(state), ...expandToSurroundingRows(visibleRows) };
  }

  readonly fetchRows = (client: ServiceClient, question: RecordsQuestion): ReturnType<typeof fetchRecords> => {
    this.lastQuestion = question;
    return fetchRecords(client, question);
  };

  /**
   * Selects the open record alone. After the table has closed, selects the rows that it requested if the record is one
   * of them, because the page remembers their answer.
   */
  selectOpenRecord({ record, ...state }: ExplorerState, visibleRows: VisibleRows): RecordsQuestion | undefined {
    if (record === undefined) return undefined;
    const selection = toOrderedSelection(state);
    const { lastQuestion } = this;
    const isRemembered =
      visibleRows === undefined &&
      lastQuestion !== undefined &&
      JSON.stringify(toOrderedSelection(lastQuestion)) === JSON.stringify(selection) &&
      record >= lastQuestion.start &&
      record < lastQuestion.start + lastQuestion.count;
    return isRemembered ? lastQuestion : { ...selection, start: record, count: 1 };
  }
}

/** Rounded to steps, so that not every scrolled row sends a request. */
function expandToSurroundingRows([first, last]: readonly [first: number, last: number]): RowRange {
  const start = Math.max(0, Math.floor(first / ROWS_AROUND) - 1) * ROWS_AROUND;
  return { start, count: (Math.ceil((last + 1 - first) / ROWS_AROUND) + 2) * ROWS_AROUND };
}
