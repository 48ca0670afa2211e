import { basename } from '../../base/path';
import { type FileFacts, NONE, qualifiedName, textOf } from '../../model/facts';
import { symbolId } from '../../model/ids';
import type { SearchDocument } from '../../search/searchView';

/** Names used inside a symbol that are kept as its body, in order of first use. */
const MAX_BODY_NAMES = 60;

/** What the lexical index knows of one file: a document for the file and one for each of its symbols. */
export function searchDocumentsOf(path: string, facts: FileFacts | undefined): SearchDocument[] {
  const documents: SearchDocument[] = [{ id: path, name: basename(path), path, signature: '', doc: '', body: '' }];
  if (facts === undefined) return documents;
  const bodies = namesUsed(facts);
  const { symbols } = facts;
  for (let row = 0; row < symbols.count; row++) {
    documents.push({
      id: symbolId(path, qualifiedName(facts, row)),
      name: textOf(facts, symbols.name[row] ?? 0),
      path,
      signature: textOf(facts, symbols.signature[row] ?? 0),
      doc: textOf(facts, symbols.doc[row] ?? 0),
      body: bodies[row] ?? '',
    });
  }
  return documents;
}

function namesUsed(facts: FileFacts): string[] {
  const { references } = facts;
  const names: Set<number>[] = [];
  for (let row = 0; row < references.count; row++) {
    const owner = references.owner[row] ?? NONE;
    if (owner === NONE) continue;
    const set = (names[owner] ??= new Set());
    if (set.size < MAX_BODY_NAMES) set.add(references.name[row] ?? 0);
  }
  return Array.from({ length: facts.symbols.count }, (_, row) => [...(names[row] ?? [])].map(name => textOf(facts, name)).join(' '));
}
