import { MODULE_SCOPE } from '../../../../model/facts';
import { NO_NODE } from '../../../parse/syntaxReader';
import type { SyntaxNode } from '../../../parse/syntaxTable';
import { type Frame, type Walk } from './walk';

/** `level` of the import row of a `global using`, which holds for every file of the project. */
const GLOBAL_LEVEL = 1;

/**
 * `using A.B;` and `using static A.B.C;` open a namespace or a type (`star`); `using X = A.B.C;` binds a name (`namespace`: a namespace or a type).
 * Type arguments behind an alias are left out of the specifier.
 */
export function usingDirective(walk: Walk, node: SyntaxNode, frame: Frame): void {
  const { file, token } = walk;
  const { builder, reader } = file;
  const alias = file.child(node, 'name');
  const target = file.children(node).findLast(child => child !== alias);
  if (target === undefined) return;
  const path = dottedText(file.text(target));
  const specifier = builder.intern(path);
  const level = reader.hasChild(node, token.global) ? GLOBAL_LEVEL : 0;
  const at = reader.start(target);
  if (alias === NO_NODE) {
    builder.addImport({ kind: 'star', specifier, level, typeOnly: reader.hasChild(node, token.static), at });
    return;
  }
  const localName = file.word(alias);
  const row = builder.addImport({
    kind: 'namespace',
    specifier,
    level,
    localName,
    at: reader.end(target) - lastName(file.text(target), path),
    aliasAt: reader.start(alias),
  });
  builder.set('imports', 'binding', row, builder.addBinding({ scope: frame.scope, name: localName, kind: 'import', import: row }));
}

/** How far before the end of `A.B.C` or `A.B.C<D>` its last name begins. */
function lastName(text: string, path: string): number {
  const name = path.slice(path.lastIndexOf('.') + 1);
  return text.length - Math.max(0, text.lastIndexOf(name, text.includes('<') ? text.indexOf('<') : text.length));
}

/** `A.B` of `global::A . B<C>`. */
export function dottedText(text: string): string {
  return text
    .replace(/<[^]*>/g, '')
    .replace(/^\w+::/, '')
    .replace(/\s+/g, '');
}

/** `namespace A.B { … }`: a scope with its full name; it makes no symbol. */
export function namespaceBlock(walk: Walk, node: SyntaxNode, frame: Frame): void {
  const { file } = walk;
  const own = dottedText(file.text(file.child(node, 'name')));
  const namespace = frame.namespace === '' ? own : `${frame.namespace}.${own}`;
  const scope = file.builder.addScope('namespace', frame.scope, undefined, undefined, file.builder.intern(namespace));
  walk.run(file.child(node, 'body'), { ...frame, scope, namespace });
}

/** `namespace A.B;` holds for the whole file. */
export function namespaceOfFile(walk: Walk, node: SyntaxNode): void {
  const { file } = walk;
  file.builder.set('scopes', 'package', MODULE_SCOPE, file.builder.intern(dottedText(file.text(file.child(node, 'name')))));
}
