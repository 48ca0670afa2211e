/**
 * Settings of git that change how files and revisions are read and that start nothing. All others are left behind:
 * those that name programs, remotes to fetch from, files to include. Names are in lower case, as git prints them.
 */
const OF_REPOSITORY =
  /^(?:core\.(?:ignorecase|filemode|symlinks|precomposeunicode|autocrlf|eol|checkstat|trustctime|longpaths)|extensions\.(?:objectformat|refstorage)|branch\..+\.(?:remote|merge)|remote\..+\.fetch)$/s;
const OF_USER = /^core\.(?:ignorecase|filemode|symlinks|precomposeunicode|autocrlf|eol|checkstat|trustctime|longpaths|excludesfile|attributesfile)$/;

export type GitSetting = readonly [name: string, value: string];

/** Where git looks when a setting does not say. */
export interface UserFolders {
  readonly home: string | undefined;
  readonly config: string | undefined;
}

/** What of the output of `git config --list -z` is kept: of the user first, then of the repository, which wins. */
export function keptSettings(user: string, repository: string, folders: UserFolders): readonly GitSetting[] {
  const ofUser = settingsIn(user).filter(([name]) => OF_USER.test(name));
  const home = (path: string): string => (path.startsWith('~/') && folders.home !== undefined ? `${folders.home}${path.slice(1)}` : path);
  const defaults: GitSetting[] =
    folders.config === undefined
      ? []
      : [
          ['core.excludesfile', `${folders.config}/git/ignore`],
          ['core.attributesfile', `${folders.config}/git/attributes`],
        ];
  const ofRepository = settingsIn(repository).filter(([name]) => OF_REPOSITORY.test(name));
  return [...defaults, ...ofUser.map(([name, value]): GitSetting => [name, name.endsWith('file') ? home(value) : value]), ...ofRepository];
}

/** A setting without a value counts as true. */
function settingsIn(output: string): GitSetting[] {
  const entries = output.split('\0').filter(entry => entry !== '');
  return entries.map(entry => {
    const end = entry.indexOf('\n');
    return end < 0 ? [entry, 'true'] : [entry.slice(0, end), entry.slice(end + 1)];
  });
}

/** The text of a configuration file with these settings and what every call of ours wants. */
export function configText(settings: readonly GitSetting[]): string {
  const hasExtensions = settings.some(([name]) => name.startsWith('extensions.'));
  const always: GitSetting[] = [
    ['core.repositoryformatversion', hasExtensions ? '1' : '0'],
    ['core.bare', 'false'],
    ['core.quotepath', 'false'],
    ['protocol.allow', 'never'],
  ];
  return [...always, ...settings].flatMap(line).join('');
}

function line([name, value]: GitSetting): string[] {
  const first = name.indexOf('.');
  const last = name.lastIndexOf('.');
  const subsection = name.slice(first + 1, last);
  if (first < 0 || /[\n\0]/.test(subsection)) return [];
  const head = first === last ? `[${name.slice(0, first)}]` : `[${name.slice(0, first)} "${escaped(subsection)}"]`;
  return [`${head}\n\t${name.slice(last + 1)} = "${escaped(value).replaceAll('\n', '\\n').replaceAll('\t', '\\t')}"\n`];
}

function escaped(text: string): string {
  return text.replace(/[\\"]/g, '\\$&');
}
