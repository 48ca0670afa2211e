import { z } from 'zod';
import type { CancellationToken } from '../../base/cancellation';
import { ok, type Result } from '../../base/result';
import type { GraphNode, GraphView } from '../../code/graph/graphView';
import { KIND_GROUPS } from '../../model/nodes';
import type { Workspace } from '../../workspace/snapshot';
import { endpointsOf, notedLines, servedLine, servedPlaces } from '../architecture/services/serviceNotes';
import { FIGURES_DEPTH, impactFigures } from '../impact/impactFigures';
import type { FeatureFailure } from '../shared/failure';
import { feature } from '../shared/feature';
import { isPublic } from '../shared/members';
import { flag, idParams, text } from '../shared/params';
import { kindOf, rowOf, symbolRowShape } from '../shared/rows';
import { object, optional, type Shaped, shape } from '../shared/shape';
import { workspacePath } from '../shared/spelling';
import { withMentions } from '../testSelection/reach/mentionedMembers';
import { referencesTo } from './references';

const lensShape = shape(() => lensCountsShape().nullable());

export const lensParams = shape(() =>
  object({
    path: text(),
    /** Also functions and methods that are not public. */
    all: optional(flag()),
  }),
);
export type LensParams = Shaped<typeof lensParams>;

const lensTargetShape = shape(() => object({ file: z.string(), line: z.number() }));

export const lensPlacesShape = shape(() =>
  object({
    symbols: z.array(symbolRowShape()),
    /** Ids of those that handle an endpoint, absent when none does. */
    serving: optional(z.array(z.string())),
    /** Handlers without a name, requests to other services and events, with where they lead; absent when there are none. Lines are 1-based. */
    noted: optional(z.array(object({ line: z.number(), text: z.string(), places: z.array(lensTargetShape()) }))),
  }),
);
export type LensPlaces = Shaped<typeof lensPlacesShape>;

/** Where code lenses stand in a file: at types, public functions and methods, and what serves an endpoint, in source order; nowhere in tests. Reads the current snapshot only. */
export async function codeLenses(workspace: Workspace, params: LensParams, _token: CancellationToken): Promise<Result<LensPlaces, FeatureFailure>> {
  const path = workspacePath(workspace, params.path);
  if (!path.ok) return path;
  const graph = workspace.current()?.graph;
  const file = graph?.fileOf(path.value);
  if (graph === undefined || file === undefined || graph.isTest(file)) return ok({ symbols: [] });
  const nodes = graph.symbolsOf(file).map(symbol => graph.node(symbol));
  const model = workspace.services?.current;
  const serving = model === undefined ? [] : nodes.filter(({ id }) => endpointsOf(model, id).length > 0).map(({ id }) => id);
  const noted = model === undefined ? [] : notedLines(model, path.value).map(({ line, places, text }) => ({ line, text, places: places.map(placeOf) }));
  return ok({
    symbols: nodes.filter(node => serving.includes(node.id) || hasLens(graph, node, params.all === true)).map(rowOf),
    ...(serving.length === 0 ? {} : { serving }),
    ...(noted.length === 0 ? {} : { noted }),
  });
}

function placeOf({ file, line }: { readonly file: string; readonly line: number }): { file: string; line: number } {
  return { file, line };
}

function hasLens(graph: GraphView, node: GraphNode, all: boolean): boolean {
  const kind = kindOf(node);
  if (node.isTest) return false;
  if ((KIND_GROUPS.CLASS as readonly string[]).includes(kind)) return true;
  return (KIND_GROUPS.FUNCTION as readonly string[]).includes(kind) && (all || (kind !== 'constructor' && isPublic(graph, node.handle)));
}

export const lensCountsShape = shape(() =>
  object({
    item: symbolRowShape(),
    /** *Users*: who depends on it or its members directly, tests apart. */
    callers: z.number(),
    /** Lines that name it for certain, tests included. */
    refs: z.number(),
    /** Further lines that may mean something else. */
    maybe: z.number(),
    /** Cases that reach it. */
    tests: z.number(),
    /** Files that depend on it within three steps, tests apart. */
    files: z.number(),
    /** Impacted files and tests. */
    blastRadius: z.number(),
    reach: z.enum(['small', 'medium', 'large', 'unknown']),
    /** Where the reach is unknown: whether a framework calls some of it, or it is public and only tests use it. */
    outsideUser: optional(z.enum(['framework', 'anyone'])),
    /** Endpoint that it handles, with its contract and callers. */
    serves: optional(z.string()),
    /** With `serves`: where it is called, else its contract. */
    servedFor: optional(z.array(lensTargetShape())),
    /** False when more depends on it than was counted. */
    complete: z.boolean(),
  }),
);
export type LensCounts = Shaped<typeof lensCountsShape>;

const DEPTH = FIGURES_DEPTH;

/** What the lenses of one symbol say; null when it is gone. Reads the current snapshot only. */
export async function lensCounts(
  workspace: Workspace,
  params: { readonly id: string },
  token: CancellationToken,
): Promise<Result<LensCounts | null, FeatureFailure>> {
  const graph = workspace.current()?.graph;
  const node = graph?.find(params.id);
  if (graph === undefined || node === undefined) return ok(null);
  const item = rowOf(graph.node(node));
  const { blastRadius, complete, counts, outsideUser, reach } = await withMentions(workspace, graph, token, () => impactFigures(graph, node, DEPTH));
  const places = referencesTo(graph, node);
  const maybe = places.filter(place => place.possible).length;
  const tests = counts.directTests + counts.transitiveTests;
  const served = servedLine(workspace.services?.current, params.id);
  return ok({
    item,
    callers: counts.direct,
    refs: places.length - maybe,
    maybe,
    tests,
    files: counts.files,
    complete,
    blastRadius,
    reach,
    ...(outsideUser === undefined ? {} : { outsideUser }),
    ...(served === '' ? {} : { serves: served, servedFor: servedPlaces(workspace.services?.current, params.id).map(placeOf) }),
  });
}

export const codeLensesFeature = feature({
  name: 'codeLenses',
  about: 'Declarations of a file that can have CodeLens.',
  params: lensParams,
  answer: lensPlacesShape,
  run: codeLenses,
});

export const lensCountsFeature = feature({
  name: 'lensCounts',
  about: 'Counts for the CodeLens of a declaration; null when it no longer exists.',
  params: idParams,
  answer: lensShape,
  run: lensCounts,
});
