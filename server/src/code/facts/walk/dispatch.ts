/**
 * Handlers by kind number, for dispatch through an array instead of a chain of comparisons. Kinds that a grammar of the family lacks (number 0) have none;
 * of several sources the last counts.
 */
export function dispatchTable<Kind extends string, Handler>(
  kinds: Readonly<Record<Kind, number>>,
  ...sources: readonly Readonly<Partial<Record<Kind, Handler>>>[]
): (Handler | undefined)[] {
  const table: (Handler | undefined)[] = [];
  for (const handlers of sources)
    for (const [name, handler] of Object.entries(handlers) as [Kind, Handler][]) if (kinds[name] !== 0) table[kinds[name]] = handler;
  return table;
}
