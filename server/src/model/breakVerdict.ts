/** Of a comparison, what tells whether it breaks code. */
interface Compared {
  readonly breaking: readonly unknown[];
  readonly nodes: readonly {
    readonly change: string;
    readonly kind: string;
    readonly isExported: boolean;
    readonly isTest: boolean;
    /** It came or went with what holds it. */
    readonly withHolder?: true | undefined;
  }[];
}

/**
 * What a comparison breaks, in words that can end a sentence. Where no code of the workspace breaks, public symbols that were removed or
 * renamed are told: code elsewhere may use them. Tests, files and members that went with what holds them do not count. `counted` writes a number
 * with its noun.
 */
export function breakVerdict({ breaking, nodes }: Compared, counted: (count: number, noun: string) => string): string {
  if (breaking.length > 0) return counted(breaking.length, 'breaking change');
  const gone = nodes.filter(node => node.isExported && !node.isTest && node.kind !== 'file' && node.withHolder === undefined && GONE.has(node.change)).length;
  if (gone === 0) return 'no breaking changes found';
  return `nothing in the workspace breaks, but ${counted(gone, 'public symbol')} ${gone === 1 ? 'was' : 'were'} removed or renamed`;
}

const GONE: ReadonlySet<string> = new Set(['removed', 'renamed']);
