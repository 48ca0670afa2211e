/**
 * Every command of git that Lattice runs; nothing else may. Each only reads.
 * What is asked for (a revision, paths) is added behind; it never begins with a dash.
 */
export const GIT_CALLS = {
  /** Values of the configuration of the user and the machine, never of the repository. */
  userSettings: ['config', '--list', '-z'],
  /** Values of the one file named behind, without the files it includes. */
  settingsOf: ['config', '--list', '-z', '--no-includes', '--file'],
  mergeBase: ['merge-base'],
  lastCommit: ['rev-list', '-1'],
  firstParents: ['rev-list', '--first-parent'],
  /** All files of a commit with mode, content and size. */
  tree: ['ls-tree', '-r', '-z', '-l', '--full-tree'],
  untracked: ['ls-files', '--others', '--exclude-standard', '-z'],
  /** Objects by the names on its input. */
  contents: ['cat-file', '--batch'],
  presence: ['cat-file', '--batch-check'],
  /** Which files differ, and how. */
  difference: [
    'diff',
    '--no-ext-diff',
    '--no-textconv',
    '--no-color',
    '--ignore-submodules=all',
    '--relative',
    '-M',
    '--raw',
    '--patch',
    '-z',
    '-U0',
    '--abbrev=64',
  ],
  /** The same without looking into any file. */
  names: ['diff', '--no-ext-diff', '--no-textconv', '--no-color', '--ignore-submodules=all', '--relative', '--no-renames', '--raw', '-z', '--abbrev=64'],
  /** Files that commits along first parents changed, with the content before and after. */
  contentsBefore: [
    'log',
    '--first-parent',
    '-m',
    '--no-renames',
    '--relative',
    '--raw',
    '-z',
    '--abbrev=64',
    '--diff-filter=MDT',
    '--ignore-submodules=all',
    '--no-ext-diff',
    '--no-textconv',
    '--no-color',
    '--no-mailmap',
    '--no-notes',
    '--no-decorate',
    '--format=',
  ],
  /** Commit, time and full name of the branches and tags below the folders named behind. */
  references: ['for-each-ref', '--sort=-creatordate', '--count=300', '--format=%(objectname)%09%(creatordate:unix)%09%(refname)'],
  /** Who made the commits named behind. */
  authors: ['log', '--no-walk=unsorted', '--no-mailmap', '--no-notes', '--no-decorate', '--encoding=UTF-8', '--format=%H %an'],
  /** Subjects of commits, each behind a start mark (U+0001), with the files it changed. */
  history: [
    'log',
    '--no-merges',
    '-M100%',
    '--relative',
    '--name-status',
    '--no-ext-diff',
    '--no-textconv',
    '--no-color',
    '--no-mailmap',
    '--no-notes',
    '--no-decorate',
    '--encoding=UTF-8',
    '--format=%x01%s',
  ],
  /** Hash, time, parents, subject and message of commits along first parents, each between marks, with what changed in the lines of files. */
  patches: [
    'log',
    '--first-parent',
    '-m',
    '-M',
    '--relative',
    '--patch',
    '-U0',
    '-z',
    '--no-ext-diff',
    '--no-textconv',
    '--ignore-submodules=all',
    '--no-color',
    '--no-mailmap',
    '--no-notes',
    '--no-decorate',
    '--encoding=UTF-8',
    '--format=%x01%H %ct %P%x02%s%x02%b%x03',
  ],
} as const satisfies Readonly<Record<string, readonly string[]>>;

export type GitCall = keyof typeof GIT_CALLS;

/** Calls that only look at objects and references, so that nothing that the user has set changes their answer. */
export const OF_OBJECTS: ReadonlySet<GitCall> = new Set([
  'mergeBase',
  'lastCommit',
  'firstParents',
  'tree',
  'contents',
  'presence',
  'references',
  'contentsBefore',
]);
