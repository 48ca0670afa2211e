/** What manifests are called. Knows nothing of what is in them. */

/** Name of the file, by what reads it. */
const NAMES = {
  npm: /^package\.json$/,
  composer: /^composer\.json$/,
  maven: /^pom\.xml$/,
  gradle: /^(?:build|settings)\.gradle(?:\.kts)?$/,
  go: /^go\.mod$/,
  cargo: /^Cargo\.toml$/i,
  pyproject: /^pyproject\.toml$/,
  requirements: /^(?:requirements\.txt|Pipfile|setup\.cfg)$/,
  dotnet: /\.csproj$/,
  bundler: /^Gemfile$/,
} as const satisfies Readonly<Record<string, RegExp>>;

export type ManifestName = keyof typeof NAMES;

/** Which manifest a file of this name is; `undefined` for other files. */
export function manifestName(name: string): ManifestName | undefined {
  return (Object.keys(NAMES) as ManifestName[]).find(each => NAMES[each].test(name));
}

/** Files that show that a program may begin in their folder. */
export const PROGRAM_MANIFESTS = [
  'package.json',
  'pom.xml',
  'build.gradle',
  'build.gradle.kts',
  'go.mod',
  'Cargo.toml',
  'pyproject.toml',
  'requirements.txt',
  'Gemfile',
  'composer.json',
] as const;
