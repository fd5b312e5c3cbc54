/** Tables: sorted by the server or the page, paged by the server, `j`, `k`, and `Enter` for rows, and cards of the main columns on narrow screens. */
import { type KeyboardEvent, type MouseEvent, type ReactNode, useRef } from 'react';
import { createEnumField, text, useUrlState } from '../data/url-state.ts';
import { kit } from '../texts/kit.ts';
import { Button } from './button.tsx';
import { Icon } from './icon.tsx';
import { useKeys } from './keyboard.ts';
import { Money } from './values.tsx';

type SortValue = bigint | number | string | null;

export interface Column<Row> {
  /** Unique in the table. `Sorting.by` refers to it. */
  readonly id: string;
  readonly title: string;
  readonly cell: (row: Row) => ReactNode;
  /** Right-aligned, for numbers. */
  readonly isNumber?: boolean;
  /** Whether a narrow screen shows it. Up to about three columns. */
  readonly isMain?: boolean;
  /** Hidden if the table is too narrow for all columns. */
  readonly isWide?: boolean;
  /** Position on a narrow screen: at the end of the first line, or on one of two lines below. Only numbers have a title there. Omit for a line with a title. */
  readonly card?: 'end' | 'second' | 'second-end' | 'third' | undefined;
  readonly canSort?: boolean;
  /** The column's part of the table's width, in proportion to the others. If one column has it, all need it, and values no longer move columns. */
  readonly width?: number;
  /** A column that is empty in all rows is omitted. */
  readonly isEmpty?: (row: Row) => boolean;
  /** For `useSorted`, if the page has all rows: the value to sort by. */
  readonly getSortValue?: (row: Row) => SortValue;
}

export interface MoneyColumn<Row> extends Omit<Column<Row>, 'cell' | 'isNumber'> {
  readonly of: (row: Row) => string | bigint | null;
  /** For single calls and entries: all six decimals. Other amounts are rounded to cents. */
  readonly isExact?: boolean;
}
/** A money column. Decimal points align. */
export const createMoneyColumn = <Row,>({ of, isExact = false, ...column }: MoneyColumn<Row>): Column<Row> => ({
  ...column,
  isNumber: true,
  cell: (row) => (isExact ? <Money amount={of(row)} decimals={6} /> : <Money amount={of(row)} isRounded />),
});

export interface Sorting {
  readonly by: string;
  readonly order: 'asc' | 'desc';
  readonly onSort: (by: string, order: 'asc' | 'desc') => void;
}
export interface TableProps<Row> {
  /** Name of the table for screen readers. */
  readonly caption: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly getRowId: (row: Row) => string;
  /** Opens a row, on click, on `Enter`, or with the link in its first cell. */
  readonly onOpen?: (row: Row) => void;
  /** Whether an expandable row is expanded. Undefined for a row that opens a panel. */
  readonly isExpanded?: (row: Row) => boolean | undefined;
  /** ID of the row with the open panel. */
  readonly openId?: string;
  readonly sorting?: Sorting;
  /** Whether the last row is the total of the others. */
  readonly hasTotal?: boolean;
  /** Loads the next page. Undefined on the last page. */
  readonly onMore?: (() => void) | undefined;
  readonly isReadingMore?: boolean;
}

export function Table<Row>(props: TableProps<Row>) {
  const { caption, rows, getRowId, onOpen, isExpanded, openId, sorting, onMore, isReadingMore } = props;
  const body = useRef<HTMLTableSectionElement>(null);
  const columns = props.columns.filter(({ isEmpty }) => isEmpty === undefined || !rows.every(isEmpty));
  useKeys({ j: () => moveRow(body.current, 1), k: () => moveRow(body.current, -1) });
  const classes = ['table', props.hasTotal && 'has-total', columns.some(({ width }) => width !== undefined) && 'fixed'];
  return (
    <div className="table-frame">
      <table className={classes.filter(Boolean).join(' ')}>
        <caption className="hidden">{caption}</caption>
        <thead>
          <tr>
            {columns.map((column) => (
              <HeadCell key={column.id} column={column} sorting={sorting} />
            ))}
          </tr>
        </thead>
        <tbody ref={body}>
          {rows.map((row) => (
            <tr
              key={getRowId(row)}
              tabIndex={-1}
              data-row=""
              data-open={(openId === getRowId(row) && getRowId(row) !== '') || undefined}
              onClick={onOpen && ((event) => isOnRow(event) && onOpen(row))}
              onKeyDown={onOpen && ((event) => isEnterOnRow(event) && onOpen(row))}
            >
              {columns.map((column, index) => (
                <td
                  key={column.id}
                  data-label={column.title}
                  data-main={column.isMain || undefined}
                  data-card={column.card}
                  data-wide={column.isWide || undefined}
                  className={column.isNumber ? 'at-right' : undefined}
                >
                  {index === 0 && onOpen ? (
                    <OpenCell open={() => onOpen(row)} isExpanded={isExpanded?.(row)}>
                      {column.cell(row)}
                    </OpenCell>
                  ) : (
                    column.cell(row)
                  )}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {onMore && (
        <div className="table-more">
          <Button onClick={onMore} isBusy={isReadingMore ?? false}>
            {kit.loadMore}
          </Button>
        </div>
      )}
    </div>
  );
}

const sortFields = { sort: text, order: createEnumField(['asc', 'desc'], 'desc') } as const;

/** The column and order from the URL, or else the first column, ascending. */
function useSort(first: string | undefined) {
  const [{ sort, order }, set] = useUrlState(sortFields);
  return { ...(sort === '' ? ({ sort: first ?? '', order: 'asc' } as const) : { sort, order }), set };
}

interface SortedRows<Row> {
  readonly rows: readonly Row[];
  readonly sorting: Sorting;
}

/** The query for server-side sorting, for a list longer than one page. `names`: the API's names by column, the first column first. */
export function useSortQuery<Name extends string>(
  names: Readonly<Record<string, Name>>,
): { readonly sort?: Name; readonly order?: 'asc' | 'desc' } {
  const { sort, order } = useSort(Object.keys(names)[0]);
  const name = names[sort];
  return name === undefined ? {} : { sort: name, order };
}

/** Sorts all rows in the page by a column with `getSortValue`. Rows without a value come last in both orders. */
export function useSorted<Row>(rows: readonly Row[], columns: readonly Column<Row>[]): SortedRows<Row> {
  const { sort, order, set } = useSort(columns[0]?.id);
  const { getSortValue } = columns.find(({ id }) => id === sort) ?? {};
  const way = order === 'asc' ? 1 : -1;
  const sorted =
    getSortValue === undefined ? rows : rows.toSorted((one, other) => compareValues(getSortValue(one), getSortValue(other), way));
  return { rows: sorted, sorting: { by: sort, order, onSort: (by, next) => set({ sort: by, order: next }) } };
}

function compareValues(one: SortValue, other: SortValue, way: 1 | -1): number {
  if (one === null || other === null) return Number(one === null) - Number(other === null);
  if (typeof one === 'string' && typeof other === 'string') return way * one.localeCompare(other, undefined, { numeric: true });
  return one < other ? -way : one > other ? way : 0;
}

/** The first cell is a button, so that keyboards and screen readers can open the row. */
const OpenCell = ({ open, isExpanded, children }: OpenCellProps) => (
  <button type="button" className={isExpanded === undefined ? 'link' : 'link disclosure'} aria-expanded={isExpanded} onClick={open}>
    {isExpanded !== undefined && <Icon name={isExpanded ? 'down' : 'right'} />}
    {children}
  </button>
);
interface OpenCellProps {
  readonly open: () => void;
  readonly isExpanded: boolean | undefined;
  readonly children: ReactNode;
}

function HeadCell<Row>({ column, sorting }: { readonly column: Column<Row>; readonly sorting: Sorting | undefined }) {
  const { id, title, isNumber, isMain, isWide, width, getSortValue, canSort = getSortValue !== undefined } = column;
  const isSorted = sorting?.by === id;
  const shared = {
    scope: 'col',
    'data-main': isMain || undefined,
    'data-wide': isWide || undefined,
    className: isNumber ? 'at-right' : undefined,
    style: width === undefined ? undefined : { width: `${width}%` },
  } as const;
  if (!canSort || !sorting) return <th {...shared}>{title}</th>;
  // Numbers start with the highest; other columns sorted by the page start with the lowest.
  const first = getSortValue !== undefined && !isNumber ? 'asc' : 'desc';
  const next = isSorted ? (sorting.order === 'desc' ? 'asc' : 'desc') : first;
  return (
    <th {...shared} aria-sort={isSorted ? (sorting.order === 'asc' ? 'ascending' : 'descending') : 'none'}>
      <button type="button" className="sort" title={kit.sortBy(title)} onClick={() => sorting.onSort(id, next)}>
        {title}
        {isSorted && <Icon name={sorting.order === 'asc' ? 'up' : 'down'} />}
      </button>
    </th>
  );
}

const controls = 'a, button, input, select, label, summary';

/** Ignores clicks on links and buttons in a row, and clicks that end a text selection. */
function isOnRow({ target }: MouseEvent): boolean {
  if (target instanceof Element && target.closest(controls)) return false;
  return getSelection()?.isCollapsed ?? true;
}

const isEnterOnRow = (event: KeyboardEvent): boolean => event.key === 'Enter' && event.target === event.currentTarget;

function moveRow(body: HTMLTableSectionElement | null, by: 1 | -1): void {
  const rows = [...(body?.querySelectorAll<HTMLElement>('[data-row]') ?? [])];
  const at = rows.findIndex((row) => row.contains(document.activeElement));
  const to = rows[at < 0 ? 0 : Math.min(Math.max(at + by, 0), rows.length - 1)];
  to?.focus();
  to?.scrollIntoView({ block: 'nearest' });
}
