import { z } from 'zod';
import type { CancellationToken } from '../../base/cancellation';
import { normalize, type WorkspacePath } from '../../base/path';
import type { GraphView, NodeHandle } from '../../code/graph/graphView';
import type { Anchor } from '../../knowledge/types';
import type { AnchorsOf } from '../../knowledge/writes';
import { headOf, SEPARATOR } from '../../model/ids';
import type { Workspace } from '../../workspace/snapshot';
import { object, optional, type Shaped, shape } from '../shared/shape';
import { type FilePatterns, filePatternsOf } from './filePatterns';

/** What became of the code that knowledge names since it was written; groups without members are left out. */
export const anchorStatesShape = shape(() =>
  object({
    current: optional(z.array(z.string())),
    changed: optional(z.array(z.string())),
    gone: optional(z.array(z.string())),
  }),
);
export type AnchorStates = Shaped<typeof anchorStatesShape>;

/** Names in one text beyond these are not anchored. */
const MAX_NAMED = 50;
/** Files compared with the disk before anchors are taken or checked. */
const MAX_TOUCHED = 50;

/** Takes the anchors of what is about to be written, from the newest content of the files that `texts` name. Without an index there are none. */
export async function anchoring(workspace: Workspace, texts: readonly string[], token: CancellationToken): Promise<AnchorsOf> {
  const current = workspace.current()?.graph;
  const named = current === undefined ? [] : texts.flatMap(text => [...nodesIn(current, text)]).map(node => current.node(node).path);
  const snapshot = await workspace.snapshot([...new Set(named)].slice(0, MAX_TOUCHED), token);
  if (!snapshot.ok) return () => [];
  const { graph } = snapshot.value;
  const patterns = filePatternsOf(workspace.records);
  return (knowledge, paths) => anchorsIn(graph, patterns, knowledge, paths);
}

export function anchorsIn(graph: GraphView, patterns: FilePatterns, knowledge: string, paths: readonly string[]): readonly Anchor[] {
  const named = [...nodesIn(graph, knowledge)].map(handle => {
    const { id, contentHash } = graph.node(handle);
    return { ref: id, hash: contentHash };
  });
  return [...named, ...paths.map(ref => ({ ref, ...patterns.coveredBy(graph, ref) }))];
}

/** Files and symbols that a text names in backticks: node ids, paths, `path#symbol`, also with lines behind. */
function nodesIn(graph: GraphView, text: string): ReadonlySet<NodeHandle> {
  const found = new Set<NodeHandle>();
  for (const [, name = ''] of text.matchAll(/`([^`\n]{1,512})`/g)) {
    const node = nodeNamed(graph, name.trim().replace(/^(?:file|symbol)::/, ''));
    if (node !== undefined) found.add(node);
    if (found.size === MAX_NAMED) break;
  }
  return found;
}

function nodeNamed(graph: GraphView, name: string): NodeHandle | undefined {
  const exact = graph.find(name);
  if (exact !== undefined) return graph.node(exact).contentHash === '' ? undefined : exact;
  const [head = '', symbol] = name.replace(/(?::\d+(?:-\d+)?|#L\d+(?:-L?\d+)?)$/, '').split('#');
  const path = normalize(head);
  if (path === undefined || path === '') return undefined;
  return symbol === undefined ? graph.find(path) : graph.find(path + SEPARATOR + symbol.replaceAll('.', SEPARATOR));
}

/** The states of anchors in one revision; `undefined` when there are none. */
export function anchorStates(graph: GraphView, patterns: FilePatterns, anchors: readonly Anchor[]): AnchorStates | undefined {
  const groups: Partial<Record<keyof AnchorStates, string[]>> = {};
  for (const anchor of anchors) {
    const state = anchor.files === undefined ? nodeState(graph, anchor) : patternState(patterns.coveredBy(graph, anchor.ref), anchor);
    const group = groups[state] ?? [];
    groups[state] = group;
    group.push(anchor.ref);
  }
  return anchors.length === 0 ? undefined : groups;
}

function nodeState(graph: GraphView, { ref, hash }: Anchor): keyof AnchorStates {
  const node = graph.find(ref);
  if (node === undefined || !graph.isLive(node)) return 'gone';
  return graph.node(node).contentHash === hash ? 'current' : 'changed';
}

function patternState(now: { readonly files: number; readonly hash: string }, { hash, files = 0 }: Anchor): keyof AnchorStates {
  if (now.hash === hash) return 'current';
  return now.files === 0 && files > 0 ? 'gone' : 'changed';
}

/** Files that anchors name, for comparing with the disk; patterns are left to the watcher. */
export function filesNamed(anchors: Iterable<Anchor>): readonly WorkspacePath[] {
  const files = new Set<WorkspacePath>();
  for (const { ref, files: matched } of anchors) {
    if (matched === undefined) files.add(headOf(ref));
    if (files.size === MAX_TOUCHED) break;
  }
  return [...files];
}
