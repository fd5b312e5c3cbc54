/** Tables: sorted by the server or the page, paged by the server, rows by `j`, `k` and `Enter`, cards of the main columns on a narrow screen. */
import { type KeyboardEvent, type MouseEvent, type ReactNode, useRef } from 'react';
import { chooseDecimals, type Decimals, readDollars } from '../data/money.ts';
import { createEnumField, text, useUrlState } from '../data/url-state.ts';
import { kit } from '../texts/kit.ts';
import { Button } from './button.tsx';
import { Icon } from './icon.tsx';
import { useKeys } from './keyboard.ts';
import { Money } from './values.tsx';

type SortValue = bigint | number | string | null;

export interface Column<Row> {
  /** Unique in the table; what `Sorting.by` names. */
  readonly id: string;
  readonly title: string;
  /** `decimals`: of the amounts of the column. */
  readonly cell: (row: Row, decimals?: Decimals) => ReactNode;
  /** Of a column of money: all amounts have the same number of decimals. */
  readonly getAmount?: (row: Row) => Amount;
  /** Numbers stand at the right. */
  readonly isNumber?: boolean;
  /** Shown on a narrow screen too; about three of them. */
  readonly isMain?: boolean;
  /** Omitted where the table has no room for all columns. */
  readonly isWide?: boolean;
  /** Place on a narrow screen of a value that needs no title: at the end of the first line, or on one of two below it. Absent: a line with the title. */
  readonly card?: 'end' | 'second' | 'second-end' | 'third' | 'none';
  readonly canSort?: boolean;
  /** For `useSorted`, where the page has all rows: what of a row is compared. */
  readonly getSortValue?: (row: Row) => SortValue;
}
type Amount = string | bigint | null;
const toMicros = (amount: Amount): bigint | null => (typeof amount === 'string' ? readDollars(amount) : amount);

export interface MoneyColumn<Row> extends Omit<Column<Row>, 'cell' | 'isNumber' | 'getAmount'> {
  readonly of: (row: Row) => Amount;
  /** Of single calls and entries: all six digits. Sums are rounded to the cent, unless all are below a dollar. */
  readonly isExact?: boolean;
}
/** A column of money; amounts have their points below each other. */
export const createMoneyColumn = <Row,>({ of, isExact = false, ...column }: MoneyColumn<Row>): Column<Row> => ({
  ...column,
  isNumber: true,
  ...(!isExact && { getAmount: of }),
  cell: (row, decimals = 6) => <Money amount={of(row)} decimals={decimals} />,
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
  /** Opens a row: by a click on it, `Enter`, or its first cell. */
  readonly onOpen?: (row: Row) => void;
  /** Whether a row that opens shows the rows that belong to it below; undefined for a row that opens a panel. */
  readonly isExpanded?: (row: Row) => boolean | undefined;
  /** Id of the row whose panel is open. */
  readonly openId?: string;
  readonly sorting?: Sorting;
  /** Reads the next page; absent when there is none. */
  readonly onMore?: (() => void) | undefined;
  readonly isReadingMore?: boolean;
}

export function Table<Row>(props: TableProps<Row>) {
  const { caption, columns, rows, getRowId, onOpen, isExpanded, openId, sorting, onMore, isReadingMore } = props;
  const body = useRef<HTMLTableSectionElement>(null);
  const decimals = columns.map(({ getAmount }) => getAmount && chooseDecimals(rows.map((row) => toMicros(getAmount(row)))));
  useKeys({ j: () => moveRow(body.current, 1), k: () => moveRow(body.current, -1) });
  return (
    <div className="table-frame">
      <table className="table">
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
                    column.cell(row, decimals[index])
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

/** The column and the order are in the address. */
const sortFields = { sort: text, order: createEnumField(['asc', 'desc'], 'desc') } as const;

interface SortedRows<Row> {
  readonly rows: readonly Row[];
  readonly sorting: Sorting;
}

/** The query that lets the server sort by the column of the address, for a list that may be longer than the page; `names`: those of the API by column. */
export function useSortQuery<Name extends string>(
  names: Readonly<Record<string, Name>>,
): { readonly sort?: Name; readonly order?: 'asc' | 'desc' } {
  const [{ sort, order }] = useUrlState(sortFields);
  const name = names[sort];
  return name === undefined ? {} : { sort: name, order };
}

/** Sorts rows that the page has whole, by the column of the address that has `getSortValue`; what has no value comes last, either way. */
export function useSorted<Row>(rows: readonly Row[], columns: readonly Column<Row>[]): SortedRows<Row> {
  const [{ sort, order }, set] = useUrlState(sortFields);
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

/** The first cell is a button, so that Tab and screen readers reach what a click on the row does. */
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
  const { id, title, isNumber, isMain, isWide, getSortValue, canSort = getSortValue !== undefined } = column;
  const isSorted = sorting?.by === id;
  const shared = {
    scope: 'col',
    'data-main': isMain || undefined,
    'data-wide': isWide || undefined,
    className: isNumber ? 'at-right' : undefined,
  } as const;
  if (!canSort || !sorting) return <th {...shared}>{title}</th>;
  // Numbers begin with the greatest; other columns that the page sorts with the first.
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

/** A click on a link or a button in a row, or one that ends a selection of text, is not one on the row. */
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
