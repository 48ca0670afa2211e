/** Editor ids of the languages in the graph. `npm run update` writes `activationEvents` from it. */
export const EDITOR_LANGUAGES = [
  'typescript',
  'typescriptreact',
  'javascript',
  'javascriptreact',
  'vue',
  'svelte',
  'python',
  'go',
  'java',
  'rust',
  'csharp',
  'c',
  'cpp',
  'php',
  'ruby',
  'kotlin',
  'scala',
  'shellscript',
  'lua',
] as const;

export type EditorLanguage = (typeof EDITOR_LANGUAGES)[number];

/** Editor ids of prose in which ids of nodes become links. */
export const PROSE_LANGUAGES = ['markdown', 'plaintext', 'lattice-knowledge', 'lattice-changelog'] as const;
