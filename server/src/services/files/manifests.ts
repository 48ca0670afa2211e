import { basename, dirname, join, type WorkspacePath } from '../../base/path';
import type { ManifestFact } from '../serviceFile';
import { isRecord, readData, recordIn, textIn, textsOf } from './data';
import { type ManifestName, manifestName } from './manifestNames';

type Read = (text: string, path: WorkspacePath) => ManifestFact | undefined;

/** What discovery asks of a manifest's kind. */
export interface ManifestTraits {
  /** Programs of one manifest: each folder in this one that serves is a service. */
  readonly programsIn?: string;
  /** File that a program begins in, wherever it is. */
  readonly entryFile?: string;
  /** File, from the manifest's folder, that makes it a program. */
  readonly mainFile?: string;
  /** Folder, from the manifest's, in which each file is a program. */
  readonly programFolder?: string;
  /** What is built from it is called as it is. */
  readonly namesProgram?: true;
  /** A manifest around others may be a service itself; of other kinds it is only their parent. */
  readonly nests?: true;
  /** Libraries say that they can be run, too: only what serves is a service. */
  readonly runsLibraries?: true;
  /** Extension of code that cannot be built without such a manifest in its folder or around it. */
  readonly builds?: string;
  /** Extension of code whose modules are found by their path from the manifest's folder. */
  readonly importsByName?: string;
}

const KINDS = {
  npm: { runsLibraries: true },
  maven: {},
  gradle: {},
  go: { programsIn: 'cmd', entryFile: 'main.go', builds: '.go' },
  cargo: { mainFile: 'src/main.rs', programFolder: 'src/bin', namesProgram: true, builds: '.rs' },
  python: { nests: true, importsByName: '.py' },
  composer: {},
  dotnet: {},
  ruby: {},
} satisfies Readonly<Record<string, ManifestTraits>>;

export type ManifestKind = keyof typeof KINDS;
export const MANIFESTS: Readonly<Record<ManifestKind, ManifestTraits>> = KINDS;

const READERS: Readonly<Record<ManifestName, Read>> = {
  npm: readNpm,
  composer: readComposer,
  maven: readMaven,
  gradle: readGradle,
  go: readGo,
  cargo: readCargo,
  pyproject: readPyproject,
  requirements: readRequirements,
  dotnet: readDotnet,
  bundler: readGemfile,
};

/** A manifest by its name; undefined for files of other names. */
export function readManifest(path: WorkspacePath, text: string): ManifestFact | undefined {
  const name = manifestName(basename(path));
  return name === undefined ? undefined : READERS[name](text, path);
}

const NONE = { name: '', description: '', version: '', isParent: false, members: [], dependencies: [], isRunnable: false } as const;

function readNpm(text: string): ManifestFact | undefined {
  const [root] = readData(text, true).documents;
  if (!isRecord(root)) return undefined;
  const workspaces = Array.isArray(root['workspaces']) ? root['workspaces'] : recordIn(root, 'workspaces')['packages'];
  const members = textsOf(workspaces);
  const scripts = recordIn(root, 'scripts');
  const isLibrary = root['exports'] !== undefined || root['types'] !== undefined || root['files'] !== undefined;
  return {
    kind: 'npm',
    name: textIn(root, 'name'),
    description: textIn(root, 'description'),
    version: textIn(root, 'version'),
    isParent: members.length > 0,
    members,
    dependencies: Object.keys(recordIn(root, 'dependencies')),
    isRunnable: !isLibrary && ['start', 'serve', 'dev', 'start:prod', 'start:dev'].some(script => scripts[script] !== undefined),
  };
}

function readComposer(text: string): ManifestFact | undefined {
  const [root] = readData(text, true).documents;
  if (!isRecord(root)) return undefined;
  return {
    ...NONE,
    kind: 'composer',
    name: textIn(root, 'name'),
    description: textIn(root, 'description'),
    dependencies: Object.keys(recordIn(root, 'require')),
  };
}

function readMaven(text: string): ManifestFact {
  const bare = text.replace(/<!--[\s\S]*?-->/g, '');
  const modules = /<modules>(?<list>[\s\S]*?)<\/modules>/.exec(bare)?.groups?.['list'] ?? '';
  const own = bare.replace(
    /<(?<tag>parent|dependencies|dependencyManagement|build|profiles|reporting|modules|pluginRepositories|repositories)>[\s\S]*?<\/\k<tag>>/g,
    '',
  );
  const members = tags(modules, 'module');
  return {
    kind: 'maven',
    name: tags(own, 'artifactId')[0] ?? '',
    description: tags(own, 'description')[0] ?? '',
    version: tags(own, 'version')[0] ?? '',
    isParent: members.length > 0 || tags(own, 'packaging')[0] === 'pom',
    members,
    dependencies: [...bare.matchAll(/<dependency>[\s\S]*?<\/dependency>/g)].flatMap(match => tags(match[0], 'artifactId')),
    isRunnable: /spring-boot-maven-plugin|quarkus-maven-plugin|jib-maven-plugin|micronaut-maven-plugin|<mainClass>|dockerfile-maven|exec-maven-plugin/.test(
      bare,
    ),
  };
}

function tags(text: string, tag: string): string[] {
  return [...text.matchAll(new RegExp(`<${tag}>\\s*(?<value>[^<]*?)\\s*</${tag}>`, 'g'))]
    .map(match => match.groups?.['value'] ?? '')
    .filter(value => value !== '');
}

function readGradle(text: string, path: WorkspacePath): ManifestFact {
  const bare = text.replace(/\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/[^\n]*/g, '');
  const members = [...bare.matchAll(/^\s*include\s*\(?(?<list>[^\n)]*(?:,\s*\n[^\n)]*)*)/gm)].flatMap(match =>
    [...(match.groups?.['list'] ?? '').matchAll(/["'](?<name>[^"']+)["']/g)].map(one => (one.groups?.['name'] ?? '').replace(/^:/, '').replaceAll(':', '/')),
  );
  const isSettings = basename(path).startsWith('settings.');
  return {
    kind: 'gradle',
    name: /rootProject\.name\s*=\s*["'](?<name>[^"']+)["']/.exec(bare)?.groups?.['name'] ?? basename(dirname(path)),
    description: /^\s*description\s*=?\s*["'](?<text>[^"']+)["']/m.exec(bare)?.groups?.['text'] ?? '',
    version: /^\s*version\s*=?\s*["'](?<text>[^"']+)["']/m.exec(bare)?.groups?.['text'] ?? '',
    isParent: isSettings && members.length > 0,
    members,
    dependencies: [...bare.matchAll(/["'](?<group>[\w.-]+):(?<name>[\w.-]+)(?::[^"']*)?["']/g)].map(match => match.groups?.['name'] ?? ''),
    isRunnable:
      !isSettings &&
      /org\.springframework\.boot(?!:)|["']application["']|\bapplication\b\s*\{|io\.quarkus|io\.micronaut|mainClass|com\.google\.cloud\.tools\.jib|bootJar/.test(
        bare,
      ),
  };
}

function readGo(text: string): ManifestFact {
  const module = /^module\s+(?<name>\S+)/m.exec(text)?.groups?.['name'] ?? '';
  const name =
    module
      .replace(/\/v\d+$/, '')
      .split('/')
      .pop() ?? '';
  const dependencies = [...text.matchAll(/^\s*(?:require\s+)?(?<name>[\w.-]+\.[\w.-]+\/\S+)\s+v/gm)].map(match => match.groups?.['name'] ?? '');
  return { ...NONE, kind: 'go', name, dependencies };
}

function readCargo(text: string): ManifestFact {
  const section = (name: string): string => new RegExp(`^\\[${name}\\]\\s*$(?<body>[\\s\\S]*?)(?=^\\[|(?![\\s\\S]))`, 'm').exec(text)?.groups?.['body'] ?? '';
  const member = /members\s*=\s*\[(?<list>[^\]]*)\]/.exec(section('workspace'))?.groups?.['list'] ?? '';
  const members = [...member.matchAll(/"(?<name>[^"]+)"/g)].map(match => match.groups?.['name'] ?? '');
  const own = section('package');
  return {
    kind: 'cargo',
    name: tomlText(own, 'name'),
    description: tomlText(own, 'description'),
    version: tomlText(own, 'version'),
    isParent: own === '',
    members,
    // What only tests are built with is a library as well.
    dependencies: [
      ...['dependencies', 'dev-dependencies', 'build-dependencies']
        .map(section)
        .join('\n')
        .matchAll(/^\s*(?<name>[\w-]+)\s*(?:=|\.)/gm),
    ].map(match => match.groups?.['name'] ?? ''),
    isRunnable: /^\[\[bin\]\]/m.test(text),
  };
}

function tomlText(section: string, key: string): string {
  return new RegExp(`^\\s*${key}\\s*=\\s*"(?<value>[^"\\n]*)"`, 'm').exec(section)?.groups?.['value'] ?? '';
}

function readPyproject(text: string): ManifestFact {
  const own = /^\[(?:project|tool\.poetry)\]\s*$(?<body>[\s\S]*?)(?=^\[|(?![\s\S]))/m.exec(text)?.groups?.['body'] ?? '';
  const quoted = [...text.matchAll(/^\s*["'](?<name>[A-Za-z][\w.-]*)[^"'\n]*["'],?\s*$/gm)].map(match => match.groups?.['name'] ?? '');
  const poetry = /^\[tool\.poetry\.dependencies\]\s*$(?<body>[\s\S]*?)(?=^\[|(?![\s\S]))/m.exec(text)?.groups?.['body'] ?? '';
  const keys = [...poetry.matchAll(/^\s*(?<name>[A-Za-z][\w.-]*)\s*=/gm)].map(match => match.groups?.['name'] ?? '');
  return {
    ...NONE,
    kind: 'python',
    name: tomlText(own, 'name'),
    description: tomlText(own, 'description'),
    version: tomlText(own, 'version'),
    dependencies: [...quoted, ...keys],
  };
}

function readRequirements(text: string): ManifestFact {
  return {
    ...NONE,
    kind: 'python',
    dependencies: [...text.matchAll(/^\s*(?<name>[A-Za-z][\w.-]*)\s*(?:\[[^\]]*\])?\s*(?:[=<>~!;]|$)/gm)].map(match => match.groups?.['name'] ?? ''),
  };
}

function readDotnet(text: string, path: WorkspacePath): ManifestFact {
  const packages = [...text.matchAll(/<PackageReference\s+Include="(?<name>[^"]+)"/g)].map(match => match.groups?.['name'] ?? '');
  const sdk = /<Project\s[^>]*Sdk="(?<sdk>[^"]+)"/.exec(text)?.groups?.['sdk'] ?? '';
  const isRunnable = /^Microsoft\.NET\.Sdk\.(?:Web|Worker|BlazorWebAssembly)$/.test(sdk) || /<OutputType>(?:Win)?Exe</i.test(text);
  const references = [...text.matchAll(/<ProjectReference\s+Include="(?<path>[^"]+)"/g)].flatMap(match => {
    const project = join(dirname(path), (match.groups?.['path'] ?? '').replaceAll('\\', '/'));
    return project === undefined ? [] : [dirname(project)];
  });
  return {
    ...NONE,
    kind: 'dotnet',
    name: basename(path).replace(/\.csproj$/, ''),
    dependencies: packages,
    isRunnable,
    // What starts the other programs is none of them.
    isParent: /^Aspire\.AppHost\.Sdk\b/.test(sdk) || /<IsAspireHost>true</i.test(text),
    ...(sdk === 'Microsoft.NET.Sdk' && !isRunnable ? { isLibrary: true as const } : {}),
    builtWith: references,
  };
}

function readGemfile(text: string): ManifestFact {
  const names = [...text.matchAll(/^\s*gem\s+["'](?<name>[^"']+)["']/gm)].map(match => match.groups?.['name'] ?? '');
  return { ...NONE, kind: 'ruby', dependencies: names };
}
