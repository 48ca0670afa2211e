/** A typed message between client and language server; `method` is its name on the wire. */
export interface RequestMethod<Params, Answer> {
  readonly method: string;
  readonly _params?: Params;
  readonly _answer?: Answer;
}

/** A message of the language server's protocol without an answer; `_params` is there for the types alone. */
export interface NotificationMethod<Params> {
  readonly method: string;
  readonly _params?: Params;
}
