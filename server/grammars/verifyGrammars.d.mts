export interface LockRow {
  readonly grammar?: string;
  readonly package: string;
  readonly version: string;
  readonly file: string;
  readonly sha256: string;
}

/** Throws, naming the package, when an installed file is not the locked one. */
export function verifyGrammars(): readonly { readonly row: LockRow; readonly path: string }[];

/** Copies grammars to `<distFolder>/grammars/<grammar>.wasm` and the runtime to `<distFolder>/web-tree-sitter.wasm`. */
export function copyGrammars(distFolder: string): void;
