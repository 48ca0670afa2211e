import { extensions } from 'vscode';
import { LANGUAGE_IDS } from './start';

const SCRIPT_SERVERS = ['vscode.typescript-language-features'];
const PYTHON_SERVERS = ['ms-python.vscode-pylance', 'ms-pyright.pyright', 'detachhead.basedpyright', 'anysphere.cursorpyright', 'meta.pyrefly', 'astral-sh.ty'];

/** Extensions known to give call hierarchy, by language. The editor has no list of providers to ask. */
const PROVIDERS: Readonly<Record<(typeof LANGUAGE_IDS)[number], readonly string[]>> = {
  typescript: SCRIPT_SERVERS,
  typescriptreact: SCRIPT_SERVERS,
  javascript: SCRIPT_SERVERS,
  javascriptreact: SCRIPT_SERVERS,
  python: PYTHON_SERVERS,
};

export function languagesWithoutCallHierarchy(): string[] {
  return LANGUAGE_IDS.filter(language => !PROVIDERS[language].some(id => extensions.getExtension(id) !== undefined));
}
