/** What a framework told of an application: its routes with their handlers (`file::function`, `function` or `''`), and those that are not of its own code. */
export interface RouteTruth {
  readonly repository: string;
  readonly commit: string;
  readonly framework: string;
  readonly asked: string;
  readonly outside: readonly string[];
  readonly routes: readonly (readonly [method: string, path: string, handler: string])[];
}

export interface RouteFigures {
  readonly routes: number;
  readonly found: number;
  readonly told: number;
  readonly right: number;
  readonly handlers: number;
  readonly rightHandlers: number;
  readonly missing: readonly string[];
  readonly wrong: readonly string[];
  readonly wrongHandlers: readonly string[];
}

export function routeFigures(
  truth: RouteTruth,
  endpoints: readonly { readonly method: string; readonly path: string; readonly handler: string }[],
): RouteFigures;
