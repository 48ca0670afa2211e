/**
 * Plain data in pieces, each packed and unpacked in a few milliseconds: a column of millions of rows in one piece would block other work.
 * A value is given as its head, in which long columns and lists are left out, and the pieces of those, in order.
 */

/** Bytes of a column, or about as many characters of a list, in one piece. */
const PIECE_BYTES = 1 << 18;
/** What an item of a list that is no text counts for, in characters. */
const SIZE_OF_OTHERS = 64;

type Column = Uint8Array | Uint16Array | Int8Array | Int32Array | Float32Array | Float64Array;

const COLUMNS = { Uint8Array, Uint16Array, Int8Array, Int32Array, Float32Array, Float64Array } as const;

/** What was left out of a head: `kind` is that of a column, or `list`. */
interface Missing {
  readonly key: string;
  readonly kind: keyof typeof COLUMNS | 'list';
  readonly length: number;
  readonly pieces: number;
}

interface Head {
  readonly small: Record<string, unknown>;
  readonly missing: readonly Missing[];
}

/** The head, then the pieces. Of a record only its own columns and lists are cut up, not those further inside. */
export function* inPieces(value: object): Generator<unknown, void> {
  const small: Record<string, unknown> = {};
  const missing: Missing[] = [];
  const large: (readonly unknown[] | Column)[][] = [];
  for (const [key, part] of Object.entries(value) as [string, unknown][]) {
    const kind = kindOf(part);
    const pieces = kind === undefined ? [] : kind === 'list' ? cutList(part as readonly unknown[]) : cutColumn(part as Column);
    if (kind === undefined || pieces.length <= 1) small[key] = part;
    else {
      missing.push({ key, kind, length: (part as Column | readonly unknown[]).length, pieces: pieces.length });
      large.push(pieces);
    }
  }
  yield { small, missing } satisfies Head;
  for (const pieces of large) yield* pieces;
}

/** The value whose head comes next; `take` gives what `inPieces` gave, one after the other. Throws where they do not fit together. */
export async function fromPieces(take: () => Promise<unknown>): Promise<Record<string, unknown>> {
  const { small, missing } = (await take()) as Head;
  const value: Record<string, unknown> = { ...small };
  for (const { key, kind, length, pieces } of missing) {
    const whole: Column | unknown[] = kind === 'list' ? [] : new COLUMNS[kind](length);
    let at = 0;
    for (let piece = 0; piece < pieces; piece++) {
      const part = (await take()) as Column | readonly unknown[];
      if (Array.isArray(whole)) for (const item of part as readonly unknown[]) whole.push(item);
      else whole.set(part as Column, at);
      at += part.length;
    }
    if (at !== length) throw new RangeError('a piece is missing');
    value[key] = whole;
  }
  return value;
}

function kindOf(part: unknown): Missing['kind'] | undefined {
  if (Array.isArray(part)) return 'list';
  return (Object.keys(COLUMNS) as (keyof typeof COLUMNS)[]).find(name => part instanceof COLUMNS[name]);
}

function cutColumn(column: Column): Column[] {
  const step = PIECE_BYTES / column.BYTES_PER_ELEMENT;
  return Array.from({ length: Math.ceil(column.length / step) }, (_, at) => column.subarray(at * step, (at + 1) * step));
}

function cutList(list: readonly unknown[]): (readonly unknown[])[] {
  const pieces: (readonly unknown[])[] = [];
  let from = 0;
  let size = 0;
  for (let at = 0; at < list.length; at++) {
    const item = list[at];
    size += typeof item === 'string' ? item.length + 1 : SIZE_OF_OTHERS;
    if (size < PIECE_BYTES) continue;
    pieces.push(list.slice(from, at + 1));
    from = at + 1;
    size = 0;
  }
  if (from < list.length) pieces.push(list.slice(from));
  return pieces;
}
