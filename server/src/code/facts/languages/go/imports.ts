import { type ImportKind, NO_TEXT } from '../../../../model/facts';
import { NO_NODE } from '../../../parse/syntaxReader';
import type { SyntaxNode } from '../../../parse/syntaxTable';
import type { Block, GoFile, Walk } from './walk';

/** `import "a/b"` binds the package under the name that its path suggests; what its package clause says, only the resolver knows. */
export function declareImports(walk: Walk, node: SyntaxNode, block: Block): void {
  const { file } = walk;
  for (const child of file.children(node)) {
    for (const spec of file.is(child, 'import_spec_list') ? file.children(child) : [child]) if (file.is(spec, 'import_spec')) addImport(walk, spec, block);
  }
}

function addImport(walk: Walk, spec: SyntaxNode, block: Block): void {
  const { file } = walk;
  const { builder } = file;
  const pathNode = file.child(spec, 'path');
  const path = file.text(pathNode).slice(1, -1);
  if (path === '') return;
  const nameNode = file.child(spec, 'name');
  const kind = importKind(file, nameNode);
  const localName = kind !== 'namespace' ? NO_TEXT : nameNode === NO_NODE ? builder.intern(packageNameOf(path)) : file.word(nameNode);
  const row = builder.addImport({ kind, specifier: builder.intern(path), localName, at: file.reader.start(pathNode) });
  if (localName === 0) return;
  builder.set('imports', 'binding', row, builder.addBinding({ scope: block.scope, name: localName, kind: 'import', import: row }));
}

function importKind(file: GoFile, nameNode: SyntaxNode): ImportKind {
  if (file.is(nameNode, 'dot')) return 'star';
  return file.is(nameNode, 'blank_identifier') ? 'sideEffect' : 'namespace';
}

/** Name that a package most likely has: the last segment without version, `go-` and `.go`. */
export function packageNameOf(path: string): string {
  const segments = path.split('/');
  let last = segments.pop() ?? path;
  if (/^v\d+$/.test(last) && segments.length > 0) last = segments.pop() ?? last;
  const bare = last.replace(/\.v\d+$/, '').replace(/^go-|[-.]go$/g, '');
  return bare.replace(/[^\p{L}\p{N}_]/gu, '_');
}
