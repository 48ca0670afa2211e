/** Editor ids of prose in which ids of nodes become links. */
export const PROSE_LANGUAGES = ['markdown', 'plaintext', 'lattice-knowledge', 'lattice-changelog'] as const;
