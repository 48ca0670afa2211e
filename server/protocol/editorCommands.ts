/** Commands of the VS Code client that hovers and code lenses of the server may name; each takes an `EditorTarget`. */
export const EDITOR_COMMANDS = {
  graph: 'lattice.openGraph',
  impact: 'lattice.showImpact',
  tests: 'lattice.showTests',
  references: 'lattice.showReferences',
  explain: 'lattice.explainSymbol',
  /** Takes `{ id, folder }`. */
  openKnowledge: 'lattice.editKnowledge',
  /** Takes `{ path, folder }`. */
  newAtom: 'lattice.newAtom',
  /** Takes a `PlacesTarget`. */
  showPlaces: 'lattice.showServicePlaces',
} as const;

/** What such a command is about, as it travels in a command link. */
export interface EditorTarget {
  readonly id: string;
  readonly name: string;
  /** URI of the workspace folder. */
  readonly folder: string;
}

/** Places that other services lead to, as they travel in a command: one is opened, several are listed above the line that they belong to. */
export interface PlacesTarget {
  /** URI of the workspace folder. */
  readonly folder: string;
  /** Workspace path and 1-based line that they belong to. */
  readonly file: string;
  readonly line: number;
  readonly places: readonly { readonly file: string; readonly line: number }[];
}
