/** A place in a text: 0-based line, 0-based column in UTF-16 code units. */
export interface Position {
  readonly line: number;
  readonly column: number;
}

/** Converts between UTF-16 offsets and positions of one text. Line breaks are `\n`, `\r\n` and `\r`. */
export class LineIndex {
  readonly #starts: Int32Array;
  readonly #length: number;

  constructor(text: string) {
    const starts: number[] = [0];
    for (let i = 0; i < text.length; i++) {
      const code = text.charCodeAt(i);
      if (code === 10) starts.push(i + 1);
      else if (code === 13 && text.charCodeAt(i + 1) !== 10) starts.push(i + 1);
    }
    this.#starts = Int32Array.from(starts);
    this.#length = text.length;
  }

  get lineCount(): number {
    return this.#starts.length;
  }

  /** Line that holds `offset`; offsets outside the text are clamped. */
  lineOf(offset: number): number {
    const starts = this.#starts;
    let low = 0;
    let high = starts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((starts[middle] ?? 0) <= offset) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  startOf(line: number): number {
    return this.#starts[Math.max(0, Math.min(line, this.#starts.length - 1))] ?? 0;
  }

  positionOf(offset: number): Position {
    const clamped = Math.max(0, Math.min(offset, this.#length));
    const line = this.lineOf(clamped);
    return { line, column: clamped - this.startOf(line) };
  }

  offsetOf(position: Position): number {
    if (position.line >= this.#starts.length) return this.#length;
    return Math.min(this.startOf(position.line) + position.column, this.#length);
  }
}
