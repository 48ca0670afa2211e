import { extensions } from 'vscode';
import { EDITOR_LANGUAGES, type EditorLanguage } from '../../../server/protocol/editorLanguages';

const PYTHON = ['ms-python.vscode-pylance', 'ms-pyright.pyright', 'detachhead.basedpyright', 'anysphere.cursorpyright', 'meta.pyrefly', 'astral-sh.ty'];
const SCRIPT = ['vscode.typescript-language-features'];
const C_FAMILY = ['ms-vscode.cpptools', 'llvm-vs-code-extensions.vscode-clangd'];

type Providers = Readonly<Partial<Record<EditorLanguage, readonly string[]>>>;

/** Extensions known to give call hierarchy, by language. The editor has no list of providers to ask. */
const CALLS: Providers = {
  typescript: SCRIPT,
  typescriptreact: SCRIPT,
  javascript: SCRIPT,
  javascriptreact: SCRIPT,
  python: PYTHON,
  go: ['golang.go'],
  java: ['redhat.java'],
  rust: ['rust-lang.rust-analyzer'],
  csharp: ['ms-dotnettools.csharp'],
  c: C_FAMILY,
  cpp: C_FAMILY,
  php: ['bmewburn.vscode-intelephense-client', 'devsense.phptools-vscode'],
  kotlin: ['jetbrains.kotlin'],
  scala: ['scalameta.metals'],
};

/** The same for type hierarchy. */
const TYPES: Providers = {
  python: ['meta.pyrefly', 'astral-sh.ty'],
  go: ['golang.go'],
  java: ['redhat.java'],
  c: ['llvm-vs-code-extensions.vscode-clangd'],
  cpp: ['llvm-vs-code-extensions.vscode-clangd'],
  php: ['bmewburn.vscode-intelephense-client', 'devsense.phptools-vscode'],
  ruby: ['shopify.ruby-lsp'],
  scala: ['scalameta.metals'],
};

/** Languages for which no other installed extension gives call hierarchy, and type hierarchy. */
export function languagesWithoutHierarchy(): { readonly calls: readonly string[]; readonly types: readonly string[] } {
  return { calls: unserved(CALLS), types: unserved(TYPES) };
}

function unserved(providers: Providers): string[] {
  return EDITOR_LANGUAGES.filter(language => !(providers[language] ?? []).some(id => extensions.getExtension(id) !== undefined));
}
