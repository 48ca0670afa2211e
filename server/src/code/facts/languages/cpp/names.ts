import { NO_NODE } from '../../../parse/syntaxReader';
import type { SyntaxNode } from '../../../parse/syntaxTable';
import type { CppWalk } from './walk';

const MAX_QUALIFIERS = 60;

/** Names of a possibly qualified name from the outside in, template arguments left out; '' stands first for a leading `::`. */
export function nameParts(walk: CppWalk, node: SyntaxNode): { readonly text: string; readonly node: SyntaxNode }[] {
  const parts: { readonly text: string; readonly node: SyntaxNode }[] = [];
  let at = node;
  for (let steps = 0; steps < MAX_QUALIFIERS && walk.file.is(at, 'qualified_identifier'); steps++) {
    const scope = walk.file.child(at, 'scope');
    parts.push({ text: scope === NO_NODE ? '' : simpleName(walk, scope), node: scope });
    const names = walk.file.childrenOf(at, 'name');
    at = names[names.length - 1] ?? NO_NODE;
  }
  parts.push({ text: simpleName(walk, at), node: at });
  return parts;
}

/** Text of a name without template arguments; operators without spaces. */
export function simpleName(walk: CppWalk, node: SyntaxNode): string {
  if (walk.file.is(node, 'template_type', 'template_function', 'template_method')) return simpleName(walk, walk.file.child(node, 'name'));
  if (walk.file.is(node, 'dependent_name', 'dependent_type')) return simpleName(walk, walk.file.reader.firstNamedChild(node));
  if (walk.file.is(node, 'operator_cast')) return `operator ${walk.file.text(walk.file.child(node, 'type'))}`;
  if (walk.file.is(node, 'operator_name')) return walk.file.text(node).replace(/\s+(?=\W)|(?<=\W)\s+/g, '');
  if (walk.file.is(node, 'destructor_name')) return walk.file.text(node).replace(/\s+/g, '');
  return walk.file.text(node);
}
