import { dirname, type WorkspacePath } from '../../base/path';
import { MANIFESTS } from '../files/manifests';
import type { ManifestFact, ServiceFile } from '../serviceFile';
import type { Folders } from './folders';

type Described = Pick<ServiceFile, 'path' | 'manifest'>;

/**
 * Manifests whose kind tells a program by its file (`src/main.rs`) say what they are built with by name: those without a program that others are built with are
 * libraries. The other manifests are as they were.
 */
export function withLibraries<File extends Described>(files: readonly File[], folders: Pick<Folders, 'hasFile' | 'codeIn'>): readonly File[] {
  const named = new Map<string, WorkspacePath>();
  for (const { manifest, path } of files)
    if (manifest !== undefined && isByFile(manifest) && manifest.name !== '') named.set(plain(manifest.name), dirname(path));
  if (named.size < 2) return files;
  const builtWith = (manifest: ManifestFact, root: WorkspacePath): WorkspacePath[] =>
    manifest.dependencies.flatMap(name => named.get(plain(name)) ?? []).filter(folder => folder !== root);
  const used = new Set(files.flatMap(({ manifest, path }) => (manifest !== undefined && isByFile(manifest) ? builtWith(manifest, dirname(path)) : [])));
  return files.map(file => {
    const { manifest } = file;
    if (manifest === undefined || !isByFile(manifest)) return file;
    const root = dirname(file.path);
    const isProgram = manifest.isRunnable || holdsProgram(manifest, root, folders);
    const shared = used.has(root) ? { isShared: true as const, ...(isProgram ? {} : { isLibrary: true as const }) } : {};
    return { ...file, manifest: { ...manifest, ...shared, builtWith: builtWith(manifest, root) } };
  });
}

/** Whether a manifest has a file beside it that makes it a program. */
export function holdsProgram({ kind }: ManifestFact, root: WorkspacePath, folders: Pick<Folders, 'hasFile' | 'codeIn'>): boolean {
  const { mainFile, programFolder } = MANIFESTS[kind];
  const at = (name: string): string => (root === '' ? name : `${root}/${name}`);
  return (mainFile !== undefined && folders.hasFile(at(mainFile))) || (programFolder !== undefined && folders.codeIn(at(programFolder)) > 0);
}

function isByFile({ kind }: ManifestFact): boolean {
  return MANIFESTS[kind].mainFile !== undefined;
}

/** Names of crates are written with hyphens or underscores, and mean the same. */
function plain(name: string): string {
  return name.replaceAll('-', '_');
}
