import { dirname, join, type WorkspacePath } from '../../base/path';
import { isRecord, readData } from './data';
import type { Resolve } from './schemaFacts';

/** Text of another file of the workspace; undefined for one that is not there. */
export type ReadOther = (path: WorkspacePath) => string | undefined;

/** Files that one contract may lead to, over all steps. */
const MAX_FILES = 200;

/** Follows `$ref`s inside a document and into other files of the workspace. Remembers which files it looked at. */
export class References {
  readonly #documents = new Map<WorkspacePath, unknown>();
  readonly looked = new Set<WorkspacePath>();

  constructor(
    private readonly path: WorkspacePath,
    root: unknown,
    private readonly read: ReadOther,
  ) {
    this.#documents.set(path, root);
  }

  readonly resolve: Resolve = ref => this.#follow(ref, this.path);

  #follow(ref: string, from: WorkspacePath): unknown {
    const [file = '', pointer = ''] = ref.split('#');
    if (/^[a-z][a-z0-9+.-]*:/i.test(file)) return undefined;
    const path = file === '' ? from : join(dirname(from), decoded(file));
    if (path === undefined) return undefined;
    let at = this.#document(path);
    for (const segment of pointer.split('/').filter(part => part !== '')) {
      const key = decoded(segment.replaceAll('~1', '/').replaceAll('~0', '~'));
      at = isRecord(at) ? (Object.hasOwn(at, key) ? at[key] : undefined) : Array.isArray(at) ? at[Number(key)] : undefined;
    }
    // References in another file are relative to that file.
    return path === this.path ? at : rebased(at, path, this.path);
  }

  #document(path: WorkspacePath): unknown {
    if (!this.#documents.has(path)) {
      if (this.looked.size >= MAX_FILES) return undefined;
      this.looked.add(path);
      const text = this.read(path);
      this.#documents.set(path, text === undefined ? undefined : readData(text, path.endsWith('.json')).documents[0]);
    }
    return this.#documents.get(path);
  }
}

/** A copy whose references are written as seen from `to`; five levels suffice for what is read of a schema. */
function rebased(value: unknown, from: WorkspacePath, to: WorkspacePath, depth = 12): unknown {
  if (depth === 0) return undefined;
  if (Array.isArray(value)) return value.map(item => rebased(item, from, to, depth - 1));
  if (!isRecord(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [
      key,
      key === '$ref' && typeof inner === 'string' ? rebasedRef(inner, from, to) : rebased(inner, from, to, depth - 1),
    ]),
  );
}

function rebasedRef(ref: string, from: WorkspacePath, to: WorkspacePath): string {
  const [file = '', pointer] = ref.split('#');
  if (/^[a-z][a-z0-9+.-]*:/i.test(file)) return ref;
  const path = file === '' ? from : join(dirname(from), decoded(file));
  if (path === undefined) return ref;
  const up = '../'.repeat(dirname(to) === '' ? 0 : dirname(to).split('/').length);
  return `${up}${path}${pointer === undefined ? '' : `#${pointer}`}`;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
