import { type ImportKind, MODULE_SCOPE, NO_TEXT } from '../../../../model/facts';
import { NO_NODE } from '../../../parse/syntaxReader';
import type { SyntaxNode } from '../../../parse/syntaxTable';
import type { Frame, Walk } from './walk';

export function setPackage(walk: Walk, node: SyntaxNode): undefined {
  const { file } = walk;
  const name = file.children(node).find(child => file.is(child, 'scoped_identifier', 'identifier'));
  if (name !== undefined) file.builder.set('scopes', 'package', MODULE_SCOPE, file.builder.intern(dotted(file.text(name))));
}

/** `import a.b.C`, `import a.b.*`, `import static a.b.C.m`, `import static a.b.C.*`. */
export function addImport(walk: Walk, node: SyntaxNode, frame: Frame): undefined {
  const { file } = walk;
  const name = file.children(node).find(child => file.is(child, 'scoped_identifier', 'identifier'));
  if (name === undefined) return;
  const isStar = file.childOf(node, 'asterisk') !== NO_NODE;
  const whole = dotted(file.text(name));
  const dot = whole.lastIndexOf('.');
  const kind: ImportKind = isStar ? 'star' : 'named';
  const last = whole.slice(dot + 1);
  const localName = isStar ? NO_TEXT : file.builder.intern(last);
  const row = file.builder.addImport({
    kind,
    specifier: file.builder.intern(isStar ? whole : whole.slice(0, Math.max(0, dot))),
    importedName: localName,
    localName,
    at: isStar ? file.reader.start(name) : file.reader.end(name) - last.length,
  });
  if (!isStar) file.builder.set('imports', 'binding', row, file.builder.addBinding({ scope: frame.scope, name: localName, kind: 'import', import: row }));
}

/** A name may be broken over lines and hold comments. */
function dotted(text: string): string {
  return text.replace(/\/\*[\s\S]*?\*\/|\/\/.*|\s+/g, '');
}
