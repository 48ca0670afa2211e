/** A typed message between client and language server; `method` is its name on the wire. */
export interface RequestMethod<Params, Answer> {
  readonly method: string;
  readonly _params?: Params;
  readonly _answer?: Answer;
}

export interface NotificationMethod<Params> {
  readonly method: string;
  readonly _params?: Params;
}
