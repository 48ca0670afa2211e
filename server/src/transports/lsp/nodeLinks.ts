import type { DocumentLink, Position } from 'vscode-languageserver/node';
import type { CancellationToken } from '../../base/cancellation';
import type { HoverAnswer } from '../../features/editor/hover';
import type { Questions } from './questions';

/** A path with an extension, then `::` and names: the stable id of a symbol. */
const NODE_ID = /[\w@.-]+(?:\/[\w@.$()[\]-]+)*\.\w+(?:::[\p{L}\p{N}_$#~]+)+/gu;
/** Most links of a document. */
const MAX_LINKS = 500;

interface Text {
  readonly uri: string;
  getText(): string;
  positionAt(offset: number): { line: number; character: number };
}

/** What is a link already: the target and the text of a Markdown link, an address. */
const LINK = /\[[^\]\n]*\]\([^)\n]*\)|<\w+:[^>\s]*>|\b\w+:\/\/[^\s)>\]]+/g;

export interface LinkOptions {
  /** Also within what is a link already. */
  readonly everywhere: boolean;
}

/** Ids of nodes in prose as links to where the node is declared; text that names no node stays text. */
export async function nodeLinks(questions: Questions, document: Text, { everywhere }: LinkOptions, token: CancellationToken): Promise<DocumentLink[]> {
  const located = questions.folders.locate(document.uri);
  if (located === undefined) return [];
  const { folder } = located;
  const text = document.getText();
  const links = everywhere ? [] : [...text.matchAll(LINK)].map(match => ({ start: match.index, end: match.index + match[0].length }));
  const isLink = (at: number): boolean => links.some(({ start, end }) => start <= at && at < end);
  const found = [...text.matchAll(NODE_ID)].filter(match => !isLink(match.index)).slice(0, MAX_LINKS);
  if (found.length === 0) return [];
  const answer = await questions.quietly(folder, 'nodesById', { ids: [...new Set(found.map(match => match[0]))] }, token);
  const known = new Map((answer?.nodes ?? []).map(row => [row.id, row]));
  return found.flatMap(match => {
    const row = known.get(match[0]);
    if (row === undefined) return [];
    const range = { start: document.positionAt(match.index), end: document.positionAt(match.index + match[0].length) };
    return [
      { range, target: `${folder.uriOf(row.path)}#L${row.nameLine},${row.nameColumn + 1}`, tooltip: `Go to ${row.kind.replaceAll('_', ' ')} ${row.name}` },
    ];
  });
}

/** What a hover says of the node whose id stands at a place in prose; `undefined` where none stands. */
export async function nodeHover(questions: Questions, document: Text, position: Position, token: CancellationToken): Promise<HoverAnswer | undefined> {
  const located = questions.folders.locate(document.uri);
  const line = document.getText().split(/\r\n?|\n/, position.line + 1)[position.line] ?? '';
  const id = [...line.matchAll(NODE_ID)].find(match => match.index <= position.character && position.character <= match.index + match[0].length)?.[0];
  if (id === undefined || located === undefined) return undefined;
  const { folder } = located;
  const answer = await questions.quietly(folder, 'nodesById', { ids: [id] }, token);
  const row = answer?.nodes.find(node => node.id === id);
  if (row === undefined) return undefined;
  const place = { path: row.path, line: row.nameLine, column: row.nameColumn };
  return (await questions.quietly(folder, 'hover', place, token)) ?? undefined;
}
