/**
 * Every language Lattice knows by name. `grammar` names the wasm file in `dist/grammars` (none: file node only).
 * Two rows may share an extractor folder (`family`): TypeScript, TSX, JavaScript and JSX do.
 */
export interface LanguageRow {
  readonly id: string;
  readonly name: string;
  readonly extensions: readonly string[];
  readonly grammar?: string;
  readonly family?: string;
  /** A file is one component, called after the file: the only facts that depend on a path. */
  readonly isComponent?: true;
}

export const LANGUAGES = [
  { id: 'typescript', name: 'TypeScript', extensions: ['.ts', '.mts', '.cts'], grammar: 'typescript', family: 'typescript' },
  { id: 'tsx', name: 'TSX', extensions: ['.tsx'], grammar: 'tsx', family: 'typescript' },
  { id: 'javascript', name: 'JavaScript', extensions: ['.js', '.mjs', '.cjs', '.jsx'], grammar: 'javascript', family: 'typescript' },
  { id: 'vue', name: 'Vue', extensions: ['.vue'], grammar: 'typescript', family: 'typescript', isComponent: true },
  { id: 'svelte', name: 'Svelte', extensions: ['.svelte'], grammar: 'typescript', family: 'typescript', isComponent: true },
  { id: 'python', name: 'Python', extensions: ['.py', '.pyi', '.pyw'], grammar: 'python', family: 'python' },
  { id: 'go', name: 'Go', extensions: ['.go'], grammar: 'go', family: 'go' },
  { id: 'java', name: 'Java', extensions: ['.java'], grammar: 'java', family: 'java' },
  { id: 'rust', name: 'Rust', extensions: ['.rs'], grammar: 'rust', family: 'rust' },
  { id: 'csharp', name: 'C#', extensions: ['.cs'], grammar: 'csharp', family: 'csharp' },
  { id: 'c', name: 'C', extensions: ['.c'], grammar: 'c', family: 'cpp' },
  {
    id: 'cpp',
    name: 'C++',
    extensions: ['.cc', '.cpp', '.cxx', '.c++', '.h', '.hh', '.hpp', '.hxx', '.h++', '.inl', '.ipp', '.tpp'],
    grammar: 'cpp',
    family: 'cpp',
  },
  { id: 'php', name: 'PHP', extensions: ['.php', '.phtml'], grammar: 'php', family: 'php' },
  { id: 'ruby', name: 'Ruby', extensions: ['.rb', '.rake', '.gemspec', '.ru'], grammar: 'ruby', family: 'ruby' },
  { id: 'kotlin', name: 'Kotlin', extensions: ['.kt', '.kts'], grammar: 'kotlin', family: 'kotlin' },
  { id: 'scala', name: 'Scala', extensions: ['.scala', '.sc'], grammar: 'scala', family: 'scala' },
  { id: 'bash', name: 'Bash', extensions: ['.sh', '.bash'], grammar: 'bash', family: 'bash' },
  { id: 'lua', name: 'Lua', extensions: ['.lua'], grammar: 'lua', family: 'lua' },
] as const satisfies readonly LanguageRow[];

export type LanguageId = (typeof LANGUAGES)[number]['id'];

const BY_EXTENSION: ReadonlyMap<string, LanguageId> = new Map(LANGUAGES.flatMap(row => row.extensions.map(extension => [extension, row.id] as const)));

/** Language of a file by its lower-case extension with the dot; `undefined` when it gets a file node only. */
export function languageOfExtension(extension: string): LanguageId | undefined {
  return BY_EXTENSION.get(extension);
}

export function languageRow(id: LanguageId): LanguageRow & (typeof LANGUAGES)[number] {
  const row: (LanguageRow & (typeof LANGUAGES)[number]) | undefined = LANGUAGES.find(candidate => candidate.id === id);
  if (row === undefined) throw new RangeError(`unknown language ${id}`);
  return row;
}
