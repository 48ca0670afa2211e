/**
 * Gives each distinct string a small integer, for the life of the process.
 * Handles are dense, start at 0 and are never reused; `Handle` is the kind of number that they are.
 */
export class Interner<Handle extends number = number> {
  readonly #handles = new Map<string, Handle>();
  readonly #strings: string[] = [];

  get size(): number {
    return this.#strings.length;
  }

  intern(text: string): Handle {
    const known = this.#handles.get(text);
    if (known !== undefined) return known;
    const handle = this.#strings.length as Handle;
    this.#strings.push(text);
    this.#handles.set(text, handle);
    return handle;
  }

  find(text: string): Handle | undefined {
    return this.#handles.get(text);
  }

  /** Throws `RangeError` for a handle this interner never gave out. */
  text(handle: Handle): string {
    const text = this.#strings[handle];
    if (text === undefined) throw new RangeError(`no string has handle ${handle}`);
    return text;
  }
}
