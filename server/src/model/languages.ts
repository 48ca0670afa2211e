/**
 * Every language Lattice knows by name: the one registration. From it `npm run update` writes the tables of extractors and rules
 * (`code/facts/languages/extractors.ts` and `digests.ts`, `code/resolve/languages/rules.ts`) and the languages of the editor (`server/protocol/editorLanguages.ts`).
 * `grammar` names the wasm file in `dist/grammars` (none: file node only). Rows may share a folder (`family`): TypeScript, TSX and JavaScript do.
 * What rooms that know no language ask of one stands here as a trait.
 */
export interface LanguageRow {
  readonly id: string;
  readonly name: string;
  readonly extensions: readonly string[];
  readonly grammar?: string;
  readonly family?: string;
  /** A file is one component, called after the file: the only facts that depend on a path. */
  readonly isComponent?: true;
  /** Its ids in the editor, where they differ from `id`. */
  readonly editorIds?: readonly string[];
  /** Tests are known by their name alone, and in files of tests only: elsewhere the same name means nothing. */
  readonly namesTests?: true;
  /** A doc comment that stands inside what it documents. */
  readonly docInside?: RegExp;
  /** Every name of a module can be imported, so that nothing says which are meant to be. */
  readonly exportsAll?: true;
  /** What the body of a class assigns belongs to the class, not to its instances. */
  readonly classBodyIsStatic?: true;
}

export const LANGUAGES = [
  { id: 'typescript', name: 'TypeScript', extensions: ['.ts', '.mts', '.cts'], grammar: 'typescript', family: 'typescript' },
  { id: 'tsx', name: 'TSX', extensions: ['.tsx'], grammar: 'tsx', family: 'typescript', editorIds: ['typescriptreact'] },
  {
    id: 'javascript',
    name: 'JavaScript',
    extensions: ['.js', '.mjs', '.cjs', '.jsx'],
    grammar: 'javascript',
    family: 'typescript',
    editorIds: ['javascript', 'javascriptreact'],
  },
  { id: 'vue', name: 'Vue', extensions: ['.vue'], grammar: 'typescript', family: 'typescript', isComponent: true },
  { id: 'svelte', name: 'Svelte', extensions: ['.svelte'], grammar: 'typescript', family: 'typescript', isComponent: true },
  {
    id: 'python',
    name: 'Python',
    extensions: ['.py', '.pyi', '.pyw'],
    grammar: 'python',
    family: 'python',
    namesTests: true,
    docInside: /("{3}|'{3})[\s\S]*?\1/,
    exportsAll: true,
    classBodyIsStatic: true,
  },
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
  { id: 'bash', name: 'Bash', extensions: ['.sh', '.bash'], grammar: 'bash', family: 'bash', editorIds: ['shellscript'] },
  { id: 'lua', name: 'Lua', extensions: ['.lua'], grammar: 'lua', family: 'lua' },
] as const satisfies readonly LanguageRow[];

export type LanguageId = (typeof LANGUAGES)[number]['id'];

const BY_EXTENSION: ReadonlyMap<string, LanguageId> = new Map(LANGUAGES.flatMap(row => row.extensions.map(extension => [extension, row.id] as const)));

/** Language of a file by its lower-case extension with the dot; `undefined` when it gets a file node only. */
export function languageOfExtension(extension: string): LanguageId | undefined {
  return BY_EXTENSION.get(extension);
}

const BY_ID: ReadonlyMap<string, LanguageRow & (typeof LANGUAGES)[number]> = new Map(LANGUAGES.map(row => [row.id, row]));

export function languageRow(id: LanguageId): LanguageRow & (typeof LANGUAGES)[number] {
  const row = BY_ID.get(id);
  if (row === undefined) throw new RangeError(`unknown language ${id}`);
  return row;
}

const NO_LANGUAGE: Partial<LanguageRow> = {};

/** What a row says of a language; nothing where there is none. */
export function traitsOf(language: LanguageId | undefined): Partial<LanguageRow> {
  return language === undefined ? NO_LANGUAGE : languageRow(language);
}
