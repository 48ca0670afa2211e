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
} as const;

/** What such a command is about, as it travels in a command link. */
export interface EditorTarget {
  readonly id: string;
  readonly name: string;
  /** URI of the workspace folder. */
  readonly folder: string;
}
