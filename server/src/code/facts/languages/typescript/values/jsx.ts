import type { ExpressionRow } from '../../../../../model/facts';
import { NO_NODE } from '../../../../parse/syntaxReader';
import { type SyntaxNode, syntaxNode } from '../../../../parse/syntaxTable';
import type { Walk } from '../walk';
import { memberRow } from './members';

/** `<Component a={b}>…</Component>`: a use of the component; lower-case names are built in. */
export function jsxElement(walk: Walk, node: SyntaxNode): ExpressionRow {
  const { kinds, reader } = walk;
  const open = walk.child(node, kinds.field.open_tag);
  readTag(walk, open === NO_NODE ? node : open);
  for (const child of reader.namedChildren(node)) {
    const kind = walk.kind[child];
    if (kind === kinds.node.jsx_element || kind === kinds.node.jsx_self_closing_element || kind === kinds.node.jsx_expression) walk.value(child);
  }
  return walk.unknown;
}

function readTag(walk: Walk, tag: SyntaxNode): void {
  const { kinds, reader, builder } = walk;
  const name = walk.child(tag, kinds.field.name);
  if (name !== NO_NODE) {
    const isMember = walk.kind[name] === kinds.node.member_expression;
    const first = reader.charCode(name);
    if (isMember || (walk.kind[name] === kinds.node.identifier && !(first >= 97 && first <= 122))) {
      const last = isMember ? walk.child(name, kinds.field.property) : name;
      if (last !== NO_NODE)
        builder.addReference('jsx', isMember ? memberRow(walk, name) : walk.name(walk.nameOf(name)), walk.owner, walk.nameOf(last), reader.start(last));
    }
  }
  const end = reader.after(tag);
  for (let child = syntaxNode(tag + 1); child < end; child = reader.after(child)) {
    const kind = walk.kind[child];
    if (kind === kinds.node.jsx_attribute || kind === kinds.node.jsx_expression) walk.parts(child);
  }
}

/** Values inside braces and attributes. */
export function jsxParts(walk: Walk, node: SyntaxNode): ExpressionRow {
  const { reader } = walk;
  const end = reader.after(node);
  for (let child = syntaxNode(node + 1); child < end; child = reader.after(child)) {
    if (reader.isNamed(child) && walk.kind[child] !== walk.kinds.node.property_identifier) walk.value(child);
  }
  return walk.unknown;
}
