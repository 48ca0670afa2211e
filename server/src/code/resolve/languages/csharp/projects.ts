/** What `.csproj` files and `Directory.Build.props` say that resolution needs: where projects are, and what they open for all their files. */
import type { Manifests } from '../../modules/manifests';

/** Namespaces and types that `<Using Include="…" />` opens. */
export interface ProjectUsings {
  readonly namespaces: readonly string[];
  readonly types: readonly string[];
}

interface Projects {
  readonly folders: ReadonlySet<string>;
  readonly usings: Map<string, ProjectUsings>;
  /** Project folder by folder of files. */
  readonly homes: Map<string, string>;
}

const NO_USINGS: ProjectUsings = { namespaces: [], types: [] };
const PROJECTS = new WeakMap<Manifests, Projects>();

function projectsOf(manifests: Manifests): Projects {
  let projects = PROJECTS.get(manifests);
  if (projects === undefined) {
    projects = { folders: new Set([...manifests.texts.keys()].filter(name => name.endsWith('.csproj')).map(folderOf)), usings: new Map(), homes: new Map() };
    PROJECTS.set(manifests, projects);
  }
  return projects;
}

/** Folder of the nearest `.csproj` above a file, '' when there is none. */
export function projectFolder(manifests: Manifests, path: string): string {
  const { folders, homes } = projectsOf(manifests);
  const own = folderOf(path);
  let home = homes.get(own);
  if (home === undefined) {
    home = own;
    while (home !== '' && !folders.has(home)) home = folderOf(home);
    homes.set(own, home);
  }
  return home;
}

/** What the project of a folder opens for its files, those of the folders above included. */
export function projectUsings(manifests: Manifests, folder: string): ProjectUsings {
  const { usings } = projectsOf(manifests);
  let known = usings.get(folder);
  if (known === undefined) {
    known = readUsings(manifests, folder);
    usings.set(folder, known);
  }
  return known;
}

function readUsings(manifests: Manifests, folder: string): ProjectUsings {
  const namespaces: string[] = [];
  const types: string[] = [];
  for (const [path, text] of manifests.texts) {
    const own = folderOf(path);
    const isAbove = own === '' || folder === own || folder.startsWith(`${own}/`);
    const holds = path.endsWith('.csproj') ? own === folder : isAbove && /(?:^|\/)Directory\.Build\.(?:props|targets)$/.test(path);
    if (!holds) continue;
    for (const [item] of text.matchAll(/<Using\s[^>]*>/g)) {
      const name = /\bInclude\s*=\s*"([\w.]+)"/.exec(item)?.[1];
      if (name === undefined || /\bAlias\s*=/.test(item)) continue;
      (/\bStatic\s*=\s*"true"/i.test(item) ? types : namespaces).push(name);
    }
  }
  return namespaces.length + types.length === 0 ? NO_USINGS : { namespaces, types };
}

function folderOf(path: string): string {
  const slash = path.lastIndexOf('/');
  return slash < 0 ? '' : path.slice(0, slash);
}
