import { MODULE_SCOPE, NO_TEXT } from '../../../../model/facts';
import { NO_NODE } from '../../../parse/syntaxReader';
import type { SyntaxNode } from '../../../parse/syntaxTable';
import { hasToken } from './grammar';
import type { Frame, Walk } from './walk';

export function setPackage(walk: Walk, node: SyntaxNode): undefined {
  const { file } = walk;
  const name = file.childOf(node, 'qualified_identifier');
  const word = name === NO_NODE ? file.childOf(node, 'identifier') : name;
  if (word !== NO_NODE) file.builder.set('scopes', 'package', MODULE_SCOPE, file.builder.intern(dotted(file.text(word))));
}

/** `import a.b.C`, `import a.b.c as d`, `import a.b.*`. */
export function addImport(walk: Walk, node: SyntaxNode, frame: Frame): undefined {
  const { file } = walk;
  const [name, alias] = file.children(node);
  if (name === undefined) return;
  const isStar = hasToken(file, node, '*');
  const whole = dotted(file.text(name));
  const dot = whole.lastIndexOf('.');
  const last = whole.slice(dot + 1);
  const importedName = isStar ? NO_TEXT : file.builder.intern(last);
  const localName = isStar ? NO_TEXT : alias === undefined ? importedName : file.word(alias);
  const row = file.builder.addImport({
    kind: isStar ? 'star' : 'named',
    specifier: file.builder.intern(isStar ? whole : whole.slice(0, Math.max(0, dot))),
    importedName,
    localName,
    at: isStar ? file.reader.start(name) : file.reader.end(name) - last.length,
    ...(alias === undefined ? {} : { aliasAt: file.reader.start(alias) }),
  });
  if (!isStar) file.builder.set('imports', 'binding', row, file.builder.addBinding({ scope: frame.scope, name: localName, kind: 'import', import: row }));
}

function dotted(text: string): string {
  return text.replace(/\/\*[\s\S]*?\*\/|`|\s+/g, '');
}
