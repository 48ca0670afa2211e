import { type Hover, MarkupKind, SymbolKind as ProtocolKind, type Range, type WorkspaceSymbol } from 'vscode-languageserver/node';
import { EDITOR_COMMANDS, type EditorTarget } from '../../../protocol/editorCommands';
import { shownText } from '../../../protocol/shownText';
import { HOVER_LINKS, type HoverAnswer } from '../../features/editor/hover';
import type { SymbolRow } from '../../features/shared/rows';
import { findKind } from '../../model/kinds';
import type { Folder } from './folders';

/** Most lines of a hover: it stands beside those of other extensions. */
const MAX_HOVER_LINES = 8;

export function toKind(kind: string): ProtocolKind {
  return ProtocolKind[findKind(kind)?.editorKind ?? 'Variable'];
}

/** Inner lines are 1-based and inclusive, columns 0-based; the protocol's are 0-based and exclusive. */
export function toRange(row: SymbolRow): Range {
  const start = Math.max(0, row.startLine - 1);
  return { start: { line: start, character: 0 }, end: { line: Math.max(start, row.endLine), character: 0 } };
}

export function toNameRange(row: SymbolRow): Range {
  const line = Math.max(0, row.nameLine - 1);
  return { start: { line, character: row.nameColumn }, end: { line, character: row.nameColumn + row.name.length } };
}

export interface HoverOptions {
  /** Which commands the editor has: links name no others. */
  readonly knows: (command: string) => boolean;
  /** Say so when nothing is known about the file. */
  readonly gaps: boolean;
}

/** What is known about the file follows in lines of its own; the last line holds the links. */
export function toHover(answer: HoverAnswer, folder: Folder, { knows, gaps }: HoverOptions): Hover {
  const links = linksOf(answer, folder, knows);
  const known = knowledgeLines(answer, folder, { knows, gaps });
  // The first lines say most; what is known takes the room of the last.
  const room = MAX_HOVER_LINES - known.length - (links === '' ? 0 : 1);
  const lines = [...figures(answer, folder, knows).slice(0, room), ...known, ...(links === '' ? [] : [links])];
  // Two blanks before the end keep the lines apart in Markdown.
  return { contents: { kind: MarkupKind.Markdown, value: lines.join('  \n') } };
}

const FIGURES = new RegExp(`\\[([^\\]]*)\\]\\(lattice:(${HOVER_LINKS.join('|')})\\)`, 'g');

/** The lines with their figures as command links; as text where the editor lacks the command. */
function figures({ id, lines, name }: HoverAnswer, folder: Folder, knows: (command: string) => boolean): string[] {
  const argument = encodeArgument({ id, name, folder: folder.uri });
  return lines.map(line =>
    line.replace(FIGURES, (_, text: string, part: (typeof HOVER_LINKS)[number]) =>
      knows(EDITOR_COMMANDS[part]) ? `[${text}](command:${EDITOR_COMMANDS[part]}?${argument})` : text,
    ),
  );
}

function knowledgeLines({ atoms, path }: HoverAnswer, folder: Folder, { knows, gaps }: HoverOptions): readonly string[] {
  if (path === '') return [];
  const link = (title: string, command: string, argument: unknown): string =>
    knows(command) ? ` [${title}](command:${command}?${encodeArgument(argument)})` : '';
  if (atoms.length > 0) return atoms.map(({ id, line }) => line + link('Open', EDITOR_COMMANDS.openKnowledge, { id, folder: folder.uri }));
  return gaps ? [`Not covered by knowledge${link('Create atom', EDITOR_COMMANDS.newAtom, { path, folder: folder.uri })}`] : [];
}

function linksOf({ id, name }: HoverAnswer, folder: Folder, knows: (command: string) => boolean): string {
  if (id === undefined || name === undefined) return '';
  const target: EditorTarget = { id, name, folder: folder.uri };
  const links = [
    { title: 'Graph', command: EDITOR_COMMANDS.graph, argument: target },
    { title: 'Impact', command: EDITOR_COMMANDS.impact, argument: target },
    { title: 'Explain', command: EDITOR_COMMANDS.explain, argument: target },
  ];
  return links
    .filter(link => knows(link.command))
    .map(link => `[${link.title}](command:${link.command}?${encodeArgument(link.argument)})`)
    .join(' · ');
}

/** Arguments of a command link; parentheses would end it. */
function encodeArgument(argument: unknown): string {
  return encodeURIComponent(JSON.stringify([argument]))
    .replaceAll('(', '%28')
    .replaceAll(')', '%29');
}

/** With `lazily` the place is the document alone; `resolveWorkspaceSymbol` adds the range. */
export function toWorkspaceSymbol(row: SymbolRow, folder: Folder, lazily: boolean): WorkspaceSymbol {
  const uri = folder.uriOf(row.path);
  const range = toNameRange(row);
  return {
    name: shownText(row.name),
    kind: toKind(row.kind),
    containerName: shownText(row.path),
    location: lazily ? { uri } : { uri, range },
    data: { id: row.id, range },
  };
}

/** The items of call and type hierarchy are alike. */
export interface HierarchyItem {
  readonly name: string;
  readonly kind: ProtocolKind;
  readonly detail: string;
  readonly uri: string;
  readonly range: Range;
  readonly selectionRange: Range;
  readonly data: { readonly id: string; readonly folder: string };
}

export function toHierarchyItem(row: SymbolRow, folder: Folder): HierarchyItem {
  const range = toRange(row);
  const selectionRange = toNameRange(row);
  const inside = selectionRange.start.line >= range.start.line && selectionRange.start.line <= range.end.line;
  return {
    name: shownText(row.name),
    kind: toKind(row.kind),
    detail: shownText(row.path),
    uri: folder.uriOf(row.path),
    range: inside ? range : selectionRange,
    selectionRange,
    data: { id: row.id, folder: folder.uri },
  };
}

/** A whole line where a call stands; the graph keeps lines, not columns, of an edge's sites. */
export function toLineRange(line: number): Range {
  const at = Math.max(0, line - 1);
  return { start: { line: at, character: 0 }, end: { line: at, character: 0 } };
}
