import type { Workspace } from '../../workspace/snapshot';
import type { Pairing } from './pairing';

/** Both texts of a file that was there before, and their lines with the comments blank where it is parsed. */
export interface TextPair {
  readonly before: string;
  readonly after: string;
  readonly code: readonly [before: readonly string[], after: readonly string[]] | undefined;
}

/** Texts of files in both states, read once each. */
export class TextPairs {
  readonly #known = new Map<string, Promise<TextPair | undefined>>();

  constructor(
    private readonly pairing: Pairing,
    private readonly older: Workspace,
    private readonly newer: Workspace,
  ) {}

  /** By the path of the older state; `undefined` for a file that is gone or cannot be read. */
  of(path: string): Promise<TextPair | undefined> {
    let pair = this.#known.get(path);
    if (pair === undefined) this.#known.set(path, (pair = this.#read(path)));
    return pair;
  }

  async #read(path: string): Promise<TextPair | undefined> {
    const { after, before, successors } = this.pairing;
    const file = before.fileOf(path);
    const now = file === undefined ? undefined : successors.get(file);
    if (now === undefined) return undefined;
    const fresh = after.idOf(now);
    const [was, is] = await Promise.all([this.older.readText(path), this.newer.readText(fresh)]);
    if (!was.ok || !is.ok) return undefined;
    const code = await Promise.all([this.older.codeText?.(path, was.value), this.newer.codeText?.(fresh, is.value)]);
    return { before: was.value, after: is.value, code: code[0] === undefined || code[1] === undefined ? undefined : [linesIn(code[0]), linesIn(code[1])] };
  }
}

/** What a line ends with does not count. */
export function linesIn(text: string): readonly string[] {
  return text.split(/\r\n|\n|\r/).map(line => line.trimEnd());
}
