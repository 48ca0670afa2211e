import type { Tree } from 'web-tree-sitter';
import { EXTRA, MISSING, NAMED, type SyntaxTable } from './syntaxTable';
import type { TableBuffers } from './tableBuffers';

/** Reference implementation of flattening, through the library's public cursor: several crossings into WebAssembly per node. */
export function flattenByCursor(tree: Tree, text: string, buffers: TableBuffers): SyntaxTable {
  const root = tree.rootNode;
  const table = buffers.reserve(root.descendantCount, text);
  const cursor = tree.walk();
  let count = 0;
  let parent = -1;
  try {
    for (;;) {
      table.kind[count] = cursor.nodeTypeId;
      table.field[count] = cursor.currentFieldId;
      table.start[count] = cursor.startIndex;
      table.end[count] = cursor.endIndex;
      table.parent[count] = parent;
      table.flags[count] = (cursor.nodeIsNamed ? NAMED : 0) | (cursor.nodeIsMissing ? MISSING : 0) | (cursor.currentNode.isExtra ? EXTRA : 0);
      const node = count++;
      if (cursor.gotoFirstChild()) {
        parent = node;
        continue;
      }
      table.next[node] = count;
      while (!cursor.gotoNextSibling()) {
        if (!cursor.gotoParent()) {
          table.next[0] = count;
          table.count = count;
          return table;
        }
        table.next[parent] = count;
        parent = table.parent[parent] ?? -1;
      }
    }
  } finally {
    cursor.delete();
  }
}
