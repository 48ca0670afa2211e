import { z } from 'zod';
import type { CancellationToken } from '../../base/cancellation';
import { dirname, type WorkspacePath } from '../../base/path';
import { err, ok, type Result } from '../../base/result';
import type { GraphView } from '../../code/graph/graphView';
import { unknownEntity } from '../../knowledge/failures';
import { normalizePattern, patternProblem } from '../../knowledge/patterns';
import { entityId } from '../../knowledge/rules';
import type { Atom } from '../../knowledge/types';
import { type KnowledgeView, knowledgeOf } from '../../knowledge/view';
import type { Workspace } from '../../workspace/snapshot';
import type { FeatureFailure } from '../shared/failure';
import { feature } from '../shared/feature';
import { idParams, noParams, text, texts } from '../shared/params';
import { object, optional, type Shaped, shape } from '../shared/shape';
import { anchorStates } from './anchors';
import { filePatternsOf } from './filePatterns';
import { projectPath } from './projectPaths';

const folderParams = shape(() => object({ folder: text() }));
const gapFilesShape = shape(() => object({ files: z.array(z.string()), total: z.number() }));
const patternsParams = shape(() => object({ patterns: optional(texts()) }));
const movedParams = shape(() => object({ from: text(), to: text() }));

export const atomRowShape = shape(() =>
  object({
    id: z.string(),
    name: z.string(),
    version: z.number(),
    moleculeId: z.string().nullable(),
    paths: z.array(z.string()),
    /** What became of the code that its text names: the worst of it. Patterns do not count: an area changes with every edit. */
    state: z.enum(['current', 'changed', 'gone']),
  }),
);
export type AtomRow = Shaped<typeof atomRowShape>;

const moleculeRowShape = shape(() => object({ id: z.string(), name: z.string(), version: z.number(), atoms: z.array(atomRowShape()) }));

const folderGapShape = shape(() => object({ folder: z.string(), files: z.number() }));

export const knowledgeTreeAnswerShape = shape(() =>
  object({
    /** By name, then id; their atoms likewise. */
    molecules: z.array(moleculeRowShape()),
    orphanAtoms: z.array(atomRowShape()),
    /** Absent until the first index is done. */
    coverage: optional(
      object({
        files: z.number(),
        covered: z.number(),
      }),
    ),
    /** Folders with indexed files that no atom covers, by path; at most 500. */
    gaps: z.array(folderGapShape()),
    gapCount: z.number(),
  }),
);
export type KnowledgeTreeAnswer = Shaped<typeof knowledgeTreeAnswerShape>;

const MAX_GAPS = 500;
const MAX_GAP_FILES = 500;
const MAX_FILES = 200;
/** Files tried against the atoms, or atoms looked at, before others get their turn. */
const STEP = 200;

/** All atoms and molecules, and where nothing is known. */
export async function knowledgeTree(workspace: Workspace, _params: object, _token: CancellationToken): Promise<Result<KnowledgeTreeAnswer, FeatureFailure>> {
  const view = knowledgeOf(workspace.records);
  const graph = workspace.current()?.graph;
  const rowOf = ({ anchors, ...atom }: Atom): AtomRow => {
    const named = anchors.filter(anchor => anchor.files === undefined);
    const states = graph === undefined ? undefined : anchorStates(graph, filePatternsOf(workspace.records), named);
    const { id, name, version, moleculeId, paths } = atom;
    return { id, name, version, moleculeId, paths, state: states?.gone !== undefined ? 'gone' : states?.changed !== undefined ? 'changed' : 'current' };
  };
  const rows = new Map<string, AtomRow[]>();
  const orphanAtoms: AtomRow[] = [];
  for (const [at, atom] of view.atoms().entries()) {
    const home = atom.moleculeId === null || view.molecule(atom.moleculeId) === undefined ? undefined : atom.moleculeId;
    const siblings = home === undefined ? orphanAtoms : (rows.get(home) ?? []);
    if (home !== undefined && siblings.length === 0) rows.set(home, siblings);
    siblings.push(rowOf(atom));
    if (at % STEP === STEP - 1) await workspace.pause?.();
  }
  const molecules = view.molecules().map(({ id, name, version }) => ({ id, name, version, atoms: rows.get(id) ?? [] }));
  if (graph === undefined) return ok({ molecules, orphanAtoms, gaps: [], gapCount: 0 });
  const uncovered = await uncoveredFiles(workspace, view, graph);
  const byFolder = new Map<WorkspacePath, number>();
  for (const path of uncovered) byFolder.set(dirname(path), (byFolder.get(dirname(path)) ?? 0) + 1);
  const gaps = [...byFolder].map(([folder, files]) => ({ folder, files })).sort((a, b) => (a.folder < b.folder ? -1 : 1));
  const files = codeFiles(workspace, graph).length;
  return ok({ molecules, orphanAtoms, coverage: { files, covered: files - uncovered.length }, gaps: gaps.slice(0, MAX_GAPS), gapCount: gaps.length });
}

/** Files directly in a folder that nothing covers. */
export async function knowledgeGapFiles(
  workspace: Workspace,
  { folder }: { readonly folder: string },
  _token: CancellationToken,
): Promise<Result<{ readonly files: readonly WorkspacePath[]; readonly total: number }, FeatureFailure>> {
  const graph = workspace.current()?.graph;
  if (graph === undefined) return ok({ files: [], total: 0 });
  const files = (await uncoveredFiles(workspace, knowledgeOf(workspace.records), graph)).filter(path => dirname(path) === folder);
  return ok({ files: files.slice(0, MAX_GAP_FILES), total: files.length });
}

/** What knowledge is wanted about: documents, data and pictures speak for themselves. */
function codeFiles(workspace: Workspace, graph: GraphView): readonly WorkspacePath[] {
  return filePatternsOf(workspace.records)
    .allFiles(graph)
    .filter(path => {
      const file = graph.fileOf(path);
      return file !== undefined && graph.node(file).language !== undefined;
    });
}

async function uncoveredFiles(workspace: Workspace, view: KnowledgeView, graph: GraphView): Promise<readonly WorkspacePath[]> {
  const files = codeFiles(workspace, graph);
  const found: WorkspacePath[] = [];
  for (let at = 0; at < files.length; at++) {
    const path = files[at] ?? '';
    if (view.atomsCovering(path).length === 0) found.push(path);
    if (at % STEP === STEP - 1) await workspace.pause?.();
  }
  return found;
}

export const patternFilesShape = shape(() =>
  object({
    patterns: z.array(
      object({
        pattern: z.string(),
        files: z.array(z.string()),
        total: z.number(),
        problem: optional(z.string()),
      }),
    ),
    total: z.number(),
  }),
);
export type PatternFiles = Shaped<typeof patternFilesShape>;

/** What patterns cover now, also such as nobody has stored yet. */
export async function patternMatches(
  workspace: Workspace,
  { patterns }: { readonly patterns?: readonly string[] },
  _token: CancellationToken,
): Promise<Result<PatternFiles, FeatureFailure>> {
  return ok(filesOf(workspace, patterns ?? []));
}

/** The files of an atom, by pattern. */
export async function atomFiles(
  workspace: Workspace,
  { id }: { readonly id: string },
  _token: CancellationToken,
): Promise<Result<PatternFiles, FeatureFailure>> {
  const atom = knowledgeOf(workspace.records).atom(entityId('atom', id) ?? id);
  return atom === undefined ? err(unknownEntity('atom', id)) : ok(filesOf(workspace, atom.paths));
}

function filesOf(workspace: Workspace, patterns: readonly string[]): PatternFiles {
  const graph = workspace.current()?.graph;
  const all = new Set<WorkspacePath>();
  const rows = patterns.map(normalizePattern).map(pattern => {
    const problem = patternProblem(pattern);
    const files = graph === undefined || problem !== undefined ? [] : filePatternsOf(workspace.records).filesOf(graph, pattern);
    for (const path of files) all.add(path);
    return { pattern, files: files.slice(0, MAX_FILES), total: files.length, ...(problem === undefined ? {} : { problem }) };
  });
  return { patterns: rows, total: all.size };
}

export const movedPatternsShape = shape(() =>
  object({
    atoms: z.array(
      object({
        id: z.string(),
        name: z.string(),
        version: z.number(),
        before: z.array(z.string()),
        after: z.array(z.string()),
      }),
    ),
  }),
);
export type MovedPatterns = Shaped<typeof movedPatternsShape>;

/** Atoms with patterns that speak of a file or folder that has moved, and the patterns that would follow it. Nothing is changed. */
export async function movedPatterns(
  workspace: Workspace,
  { from, to }: { readonly from: string; readonly to: string },
  _token: CancellationToken,
): Promise<Result<MovedPatterns, FeatureFailure>> {
  const [old, now] = [projectPath(workspace, from), projectPath(workspace, to)];
  const follow = (pattern: string): string => (pattern === old || pattern.startsWith(`${old}/`) ? now + pattern.slice(old.length) : pattern);
  const graph = workspace.current()?.graph;
  const isDead = (pattern: string): boolean => {
    const files = graph === undefined ? [] : filePatternsOf(workspace.records).filesOf(graph, pattern);
    // The index may not have seen the move yet: what it still has at the old place does not count.
    return files.every(path => path === old || path.startsWith(`${old}/`));
  };
  const atoms = knowledgeOf(workspace.records)
    .atoms()
    .map(({ id, name, version, paths }) => ({
      id,
      name,
      version,
      before: paths,
      after: paths.map(pattern => (follow(pattern) !== pattern && isDead(pattern) ? follow(pattern) : pattern)),
    }))
    .filter(({ before, after }) => after.some((pattern, at) => pattern !== before[at] && patternProblem(pattern) === undefined));
  return ok({ atoms });
}

export const knowledgeTreeFeature = feature({
  name: 'knowledgeTree',
  about: 'Molecules with their atoms, and folders without coverage.',
  params: noParams,
  answer: knowledgeTreeAnswerShape,
  run: knowledgeTree,
});

export const knowledgeGapFilesFeature = feature({
  name: 'knowledgeGapFiles',
  about: 'Files of a folder that no atom covers.',
  params: folderParams,
  answer: gapFilesShape,
  run: knowledgeGapFiles,
});

export const atomFilesFeature = feature({
  name: 'atomFiles',
  about: 'Files that the patterns of an atom cover.',
  params: idParams,
  answer: patternFilesShape,
  run: atomFiles,
});

export const patternMatchesFeature = feature({
  name: 'patternMatches',
  about: 'Files that patterns cover.',
  params: patternsParams,
  answer: patternFilesShape,
  run: patternMatches,
});

export const movedPatternsFeature = feature({
  name: 'movedPatterns',
  about: 'Patterns of atoms, updated for a renamed file or folder.',
  params: movedParams,
  answer: movedPatternsShape,
  run: movedPatterns,
});
