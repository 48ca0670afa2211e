declare const brand: unique symbol;

/**
 * A number that stands for one kind of thing: the compiler keeps it apart from numbers that stand for others. Costs nothing at run time.
 * With several names it may stand for any of them: so does a value for "none".
 */
export type Branded<Name extends string> = number & { readonly [brand]: { readonly [Each in Name]: true } };

/** A column of such numbers. Also an `Int32Array` of plain ones, for code that does not care what they stand for. */
export type ColumnOf<Value extends number> = TypedColumn<Value> & Int32Array;

interface TypedColumn<Value extends number> extends Iterable<Value> {
  readonly [row: number]: Value;
  entries(): IterableIterator<[number, Value]>;
  filter(keep: (value: Value) => boolean): ColumnOf<Value>;
  findIndex(is: (value: Value, row: number) => boolean): number;
  forEach(visit: (value: Value, row: number) => void): void;
  some(is: (value: Value) => boolean): boolean;
  slice(start?: number, end?: number): ColumnOf<Value>;
  subarray(start?: number, end?: number): ColumnOf<Value>;
}
