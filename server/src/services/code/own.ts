/** What a table has under a name that comes from outside: of the name `constructor` as well, which every object seems to have. */
export function own<Value>(table: Readonly<Record<string, Value>> | undefined, key: string): Value | undefined {
  return table !== undefined && Object.hasOwn(table, key) ? table[key] : undefined;
}
