/** How programs say that something is not installed; `name` is what is missing. */
const SIGNS: readonly RegExp[] = [
  /Cannot find (?:package|module) '(?<name>[^'./\\][^']*)'/,
  /missing packages[^[]*\["(?<name>@?[^"@]+)/,
  /No module named '?(?<name>[\w.]+)/,
  /(?:^|[\s:])(?<name>[\w.-]+): (?:command )?not found/m,
  /'(?<name>[\w.-]+)' is not recognized as an internal or external command/,
  /could not determine executable to run/,
];

/** What a command of that name is installed with. A module that is missing may be the project's own: its name is not installed from a registry. */
const INSTALLERS: readonly (readonly [RegExp, (name: string) => string])[] = [
  [/^(?:npx|npm|node)$/, () => 'npm install'],
  [/^(?:pnpm|yarn|bun|bunx)$/, () => 'the install command of its package manager'],
  [/^(?:python\d*|py|pytest)(?:\.\d+)*$/, name => (/^(?:python|pytest)/.test(name) ? `pip install ${name}` : 'pip install -e .')],
  [/^bundle$/, () => 'bundle install'],
];

/** Why a test command could not test anything, and what to do, when what it printed says that something is missing. */
export function missingRunner(command: readonly string[], output: string): string | undefined {
  const found = SIGNS.map(sign => sign.exec(output)).find(match => match !== null);
  if (found === undefined) return undefined;
  const program = programOf(command[0] ?? found.groups?.['name'] ?? '');
  return needs(program, found.groups?.['name'] ?? command[1] ?? program);
}

/** What to do about a test command whose program is not there; `why` it is not, where that is known, says what to do. */
export function notInstalled(program: string, why?: string): string {
  return why === undefined ? needs(programOf(program), programOf(program)) : `The tests could not run because ${programOf(program)} was not found. ${why}`;
}

function programOf(path: string): string {
  return path.replace(/^.*[\\/]/, '').replace(/\.(?:exe|cmd)$/i, '');
}

/** `name` is missing, and comes with what `program` is installed by. */
function needs(program: string, name: string): string {
  const installer = INSTALLERS.find(([known]) => known.test(program))?.[1](name);
  if (installer === undefined && name === program)
    return `The tests could not run because ${name} was not found. Install it or add its folder to the PATH, then run the tests again.`;
  const how = installer === undefined ? '' : `, for example with ${installer.startsWith('the ') ? installer : `"${installer}"`}`;
  return `The tests could not run because ${name} is not installed. Install the project's dependencies${how}, then run the tests again.`;
}
