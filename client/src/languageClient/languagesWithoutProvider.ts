import { extensions, workspace } from 'vscode';
import { EDITOR_LANGUAGES, type EditorLanguage } from '../../../server/protocol/editorLanguages';
import type { LanguagesWithoutProvider } from '../../../server/protocol/requests';

const PYTHON = ['ms-python.vscode-pylance', 'ms-pyright.pyright', 'detachhead.basedpyright', 'anysphere.cursorpyright', 'meta.pyrefly', 'astral-sh.ty'];
const SCRIPT = ['vscode.typescript-language-features'];
const C_FAMILY = ['ms-vscode.cpptools', 'llvm-vs-code-extensions.vscode-clangd', 'anysphere.cpptools'];
const SCRIPT_LANGUAGES: readonly string[] = ['typescript', 'typescriptreact', 'javascript', 'javascriptreact'];

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
  csharp: ['ms-dotnettools.csharp', 'muhammad-sammy.csharp'],
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

/** The same for symbols of the workspace and for hovers: those that provide call hierarchy, and some more. */
const SYMBOLS: Providers = { ...CALLS, ruby: ['shopify.ruby-lsp', 'castwide.solargraph'], lua: ['sumneko.lua'], vue: ['vue.volar'] };
const HOVERS: Providers = { ...SYMBOLS, svelte: ['svelte.svelte-vscode'], shellscript: ['mads-hartmann.bash-ide-vscode'] };

/** Languages for which no other extension gives these. What lists symbols has to be active; that of scripts knows the projects of open documents alone. */
export function findLanguagesWithoutProvider(): LanguagesWithoutProvider {
  const isInstalled = (id: string): boolean => extensions.getExtension(id) !== undefined;
  const isActive = (id: string): boolean => extensions.getExtension(id)?.isActive === true;
  const hasScript = workspace.textDocuments.some(document => SCRIPT_LANGUAGES.includes(document.languageId) && document.uri.scheme === 'file');
  return {
    calls: without(CALLS, isInstalled),
    types: without(TYPES, isInstalled),
    symbols: without(SYMBOLS, id => isActive(id) && (hasScript || !SCRIPT.includes(id))),
    hovers: without(HOVERS, isInstalled),
  };
}

function without(providers: Providers, serves: (id: string) => boolean): string[] {
  return EDITOR_LANGUAGES.filter(language => !(providers[language] ?? []).some(serves));
}
