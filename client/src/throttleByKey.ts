import type { Disposable } from 'vscode';

/** Passes the first of what comes on at once, and of what follows within an interval only the last, when it is over; each key by itself. */
export class ThrottleByKey<Value> implements Disposable {
  private readonly running = new Map<string, { readonly timer: NodeJS.Timeout; last?: Value }>();

  constructor(
    private readonly intervalMs: number,
    private readonly keyOf: (value: Value) => string,
    private readonly pass: (value: Value) => void,
  ) {}

  add(value: Value): void {
    const running = this.running.get(this.keyOf(value));
    if (running !== undefined) running.last = value;
    else this.passOn(value);
  }

  dispose(): void {
    for (const { timer } of this.running.values()) clearTimeout(timer);
    this.running.clear();
  }

  private passOn(value: Value): void {
    const key = this.keyOf(value);
    const over = (): void => {
      const last = this.running.get(key)?.last;
      this.running.delete(key);
      if (last !== undefined) this.passOn(last);
    };
    this.running.set(key, { timer: setTimeout(over, this.intervalMs) });
    this.pass(value);
  }
}
