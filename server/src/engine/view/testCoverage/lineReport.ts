/** Lines of a file that can run, and of those whether a test ran them; tests by line where they are told apart. */
export interface FileLines {
  readonly ran: ReadonlySet<number>;
  readonly missing: ReadonlySet<number>;
  readonly contexts?: ReadonlyMap<number, readonly string[]>;
}

/** What was measured, as the JSON report of coverage.py has it, with the name of the format it came from. Contexts are numbers in a list of names: a line of a large suite has thousands. */
export function lineReport(format: string, files: ReadonlyMap<string, FileLines>): string {
  const names = new Map<string, number>();
  const numberOf = (name: string): number => {
    const known = names.get(name) ?? names.size;
    names.set(name, known);
    return known;
  };
  const entries = [...files].map(([path, { contexts, missing, ran }]) => [
    path,
    {
      executed_lines: [...ran].sort(ascending),
      missing_lines: [...missing].sort(ascending),
      contexts: Object.fromEntries([...(contexts ?? [])].map(([line, tests]) => [line, tests.map(numberOf)])),
    },
  ]);
  return JSON.stringify({ meta: { format, contexts: [...names.keys()] }, files: Object.fromEntries(entries) });
}

function ascending(left: number, right: number): number {
  return left - right;
}
