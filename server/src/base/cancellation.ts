/** Tokens of `vscode` and `vscode-languageserver` are assignable to this. */
export interface CancellationToken {
  readonly isCancellationRequested: boolean;
}

export const neverCancelled: CancellationToken = Object.freeze({ isCancellationRequested: false });

/** The one throw that callers expect: the work was asked to stop. */
export class Cancelled extends Error {
  constructor() {
    super('The operation was cancelled.');
    this.name = 'Cancelled';
  }
}

export function throwIfCancelled(token: CancellationToken): void {
  if (token.isCancellationRequested) throw new Cancelled();
}

/** A token that its owner can cancel. */
export class CancellationSource {
  #requested = false;

  readonly token: CancellationToken;

  constructor() {
    const isRequested = (): boolean => this.#requested;
    this.token = {
      get isCancellationRequested(): boolean {
        return isRequested();
      },
    };
  }

  cancel(): void {
    this.#requested = true;
  }
}
