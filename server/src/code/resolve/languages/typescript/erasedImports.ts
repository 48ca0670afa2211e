/** Which imports TypeScript drops although they do not say so. */
import { dirname } from '../../../../base/path';
import { ERASURE, IMPORT_KINDS, type ImportRow } from '../../../../model/facts';
import type { NodeHandle } from '../../../../model/ids';
import { symbolKindCode } from '../../../../model/nodes';
import type { Evaluator } from '../../evaluate/evaluator';
import type { FileState } from '../../fileState';
import type { Manifests } from '../../modules/manifests';
import { keepsImports } from './nodeManifests';

const REEXPORT = IMPORT_KINDS.indexOf('reexport');
const TYPES: ReadonlySet<number> = new Set([symbolKindCode.interface, symbolKindCode.type]);

/** An import that no value is used of, and a re-export of types; unless the configuration says that imports stay as they are written. `nodes`: what the row names. */
export function isDropped(ev: Evaluator, file: FileState, row: ImportRow, nodes: readonly NodeHandle[]): boolean {
  const { imports } = file.facts;
  const isCandidate =
    imports.typeOnly[row] === ERASURE.unusedAsValue || (imports.kind[row] === REEXPORT && nodes.length > 0 && nodes.every(node => isType(ev, node)));
  return isCandidate && !isVerbatim(ev.modules.manifests, dirname(file.path));
}

function isType(ev: Evaluator, node: NodeHandle): boolean {
  const owner = ev.project.ownerOf(node);
  return owner !== undefined && TYPES.has(owner.facts.symbols.kind[ev.project.rowOf(node)] ?? 0);
}

const byManifests = new WeakMap<Manifests, ReadonlyMap<string, boolean>>();

/** By the nearest configuration at or above the folder. */
export function isVerbatim(manifests: Manifests, folder: string): boolean {
  let known = byManifests.get(manifests);
  if (known === undefined) byManifests.set(manifests, (known = keepsImports(manifests.texts)));
  for (let at = folder; ; at = dirname(at)) {
    const found = known.get(at);
    if (found !== undefined || at === '') return found ?? false;
  }
}
