import { z } from 'zod';
import { dirname } from '../../base/path';
import { eachInSteps, type Steps } from '../../base/steps';
import { compareText } from '../../base/text';
import type { GraphNode, GraphView, NodeHandle } from '../../code/graph/graphView';
import { isPublic } from '../shared/members';
import { kindOf } from '../shared/rows';
import { kindShape, object, optional, type Shaped, shape } from '../shared/shape';
import type { Pairing, Partners } from './pairing';

/** What became of a node from one state to another. */
export const CHANGES = ['added', 'removed', 'renamed', 'moved', 'signature', 'body'] as const;

/** A file or symbol that differs. */
export const nodeChangeShape = shape(() =>
  object({
    /** Of the newer state; of the older one for what was removed. */
    id: z.string(),
    kind: kindShape(),
    path: z.string(),
    /** 1-based line of its name; 0 for files. */
    line: z.number(),
    /** The most telling: what was renamed or moved may have changed beside. Files change in their `body`. */
    change: z.enum(CHANGES),
    isTest: z.boolean(),
    isExported: z.boolean(),
    /** Of what was renamed or moved. */
    oldId: optional(z.string()),
    /** Where they differ. */
    oldSignature: optional(z.string()),
    signature: optional(z.string()),
    /** What holds it came or went with it. */
    withHolder: optional(z.literal(true)),
  }),
);
export type NodeChange = Shaped<typeof nodeChangeShape>;

/** A change with the nodes it is about. */
export interface Changed {
  readonly row: NodeChange;
  readonly old: NodeHandle | undefined;
  readonly fresh: NodeHandle | undefined;
}

/** Files and symbols that differ, in order of path, line and id. */
export function* nodeChanges(pairing: Pairing): Steps<Changed[]> {
  const { after, before, own, predecessors, successors } = pairing;
  const found: Changed[] = [];
  yield* eachInSteps(own.before, old => {
    const fresh = successors.get(old);
    if (before.fileNodeOf(old) === undefined || (fresh !== undefined && pairing.isUntouched(old))) return;
    const row = fresh === undefined ? lone(before, old, 'removed', successors) : changedRow(pairing, old, fresh);
    if (row !== undefined) found.push({ row, old, fresh });
  });
  yield* eachInSteps(own.after, fresh => {
    if (predecessors.has(fresh) || after.fileNodeOf(fresh) === undefined) return;
    found.push({ row: lone(after, fresh, 'added', predecessors), old: undefined, fresh });
  });
  return found.sort((a, b) => compareText(a.row.path, b.row.path) || a.row.line - b.row.line || compareText(a.row.id, b.row.id));
}

function lone(view: GraphView, node: NodeHandle, change: 'added' | 'removed', partners: Partners): NodeChange {
  const holder = view.parentOf(node) ?? view.fileNodeOf(node);
  const isWithHolder = holder !== undefined && holder !== node && !partners.has(holder);
  return { ...rowOf(view, node), change, ...(isWithHolder ? { withHolder: true as const } : {}) };
}

function changedRow(pairing: Pairing, old: NodeHandle, fresh: NodeHandle): NodeChange | undefined {
  const { after, before } = pairing;
  const [was, is] = [before.node(old), after.node(fresh)];
  const change = changeOf(pairing, was, is);
  if (change === undefined) return undefined;
  const differs = signatureOf(was) !== signatureOf(is);
  return {
    ...rowOf(after, fresh),
    change,
    ...(was.id === is.id ? {} : { oldId: was.id }),
    ...(differs ? { oldSignature: signatureOf(was), signature: signatureOf(is) } : {}),
  };
}

function changeOf(pairing: Pairing, was: GraphNode, is: GraphNode): NodeChange['change'] | undefined {
  const isSymbol = is.nodeType === 'symbol';
  if (isSymbol && was.name !== is.name) return 'renamed';
  if (was.id !== is.id && !(isSymbol && movedWithHolder(pairing, was, is))) return isSymbol || dirname(was.path) !== dirname(is.path) ? 'moved' : 'renamed';
  if (isSymbol && (signatureOf(was) !== signatureOf(is) || was.isExported !== is.isExported)) return 'signature';
  return was.contentHash === is.contentHash ? undefined : 'body';
}

/** It stands where it stood, in what holds it. */
function movedWithHolder({ after, before, successors }: Pairing, was: GraphNode, is: GraphNode): boolean {
  const [holder, next] = [before.parentOf(was.handle) ?? before.fileNodeOf(was.handle), after.parentOf(is.handle) ?? after.fileNodeOf(is.handle)];
  return holder !== undefined && successors.get(holder) === next;
}

const VALUES: ReadonlySet<string | undefined> = new Set(['variable', 'constant', 'enum_member', undefined]);

/** A value is no signature; of a field its type counts. */
function signatureOf({ kind, signature }: GraphNode): string {
  const text = VALUES.has(kind) ? '' : signature.replaceAll(/\s+/g, ' ').trim();
  return kind === 'field' || kind === 'property' ? text.replace(/\s*=(?!>).*$/, '') : text;
}

function rowOf(view: GraphView, node: NodeHandle): Omit<NodeChange, 'change'> {
  const row = view.node(node);
  return {
    id: row.id,
    kind: kindOf(row),
    path: row.path,
    line: row.nodeType === 'symbol' ? row.nameLine : 0,
    isTest: row.isTest,
    isExported: isPublic(view, node),
  };
}
