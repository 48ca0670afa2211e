import { z } from 'zod';
import { relativeTo, type WorkspacePath } from '../../base/path';
import { compareText } from '../../base/text';
import type { GraphView, NodeHandle } from '../../code/graph/graphView';
import { KIND_GROUPS } from '../../model/nodes';
import type { CoverageFile } from '../../workspace/coverage';
import type { Workspace } from '../../workspace/snapshot';
import { type FileCoverage, type ParsedCoverage, parseCoverage } from './coverage/coverageFormats';
import { testNames } from './coverage/coverageTests';
import { object, type Shaped, shape } from './shape';

/** How it is known that a test ran some code. */
export const ranByShape = shape(() =>
  object({
    provenance: z.literal('coverage'),
    report: z.string(),
    /** Since the report was written, in hours. */
    ageHours: z.number(),
    /** The code was written after the report: other lines may have run. */
    stale: z.boolean(),
  }),
);
export type RanBy = Shaped<typeof ranByShape>;

/** What coverage reports of earlier test runs say of changed code. */
export const coverageShape = shape(() =>
  object({
    /** Of all changed functions together: lines that can run, and those of them that no test ran. Without functions of a file that is newer than its report. */
    lines: z.number(),
    uncovered: z.number(),
    /** Changed functions that a report knows, those with most uncovered lines first; at most fifty. */
    symbols: z.array(
      object({
        id: z.string(),
        lines: z.number(),
        /** 1-based lines that no test ran; at most fifty. */
        uncovered: z.array(z.number()),
        /** The report that says so. */
        report: z.string(),
        /** The file was written after the report: its lines may have moved. */
        stale: z.boolean(),
      }),
    ),
    /** Tests that ran some of the lines, where a report tells tests apart; at most two hundred. */
    tests: z.array(object({ id: z.string(), by: ranByShape() })),
    reports: z.array(
      object({
        path: z.string(),
        format: z.string(),
        /** Since it was written, in hours. */
        ageHours: z.number(),
      }),
    ),
    /** Reports that cannot be read, with the reason. */
    problems: z.array(z.string()),
  }),
);
export type Coverage = Shaped<typeof coverageShape>;

const FUNCTIONS: ReadonlySet<string> = new Set(KIND_GROUPS.FUNCTION);
const MAX_SYMBOLS = 50;
const MAX_LINES = 50;
const MAX_TESTS = 200;
const HOUR = 3_600_000;

/** Reports are large and rarely change. */
const parsed = new WeakMap<CoverageFile, ReturnType<typeof parseCoverage>>();

function read(file: CoverageFile): ParsedCoverage | undefined {
  if (!parsed.has(file)) parsed.set(file, parseCoverage(file.text));
  return parsed.get(file);
}

/** What the reports in the workspace say of some code; `undefined` where there is no report. The newest report that knows a file counts. */
export async function coverageOf(workspace: Workspace, graph: GraphView, changed: ReadonlySet<NodeHandle>): Promise<Coverage | undefined> {
  const read = await readReports(workspace, graph);
  if (read === undefined) return undefined;
  const symbols: Coverage['symbols'][number][] = [];
  for (const node of changed) {
    const { id, kind, path, startLine, endLine, isTest } = graph.node(node);
    const known = read.reports.find(report => report.byPath.has(path));
    const lines = known?.byPath.get(path);
    if (known === undefined || lines === undefined || isTest || kind === undefined || !FUNCTIONS.has(kind)) continue;
    const inside = [...lines.lines].filter(([line]) => line >= startLine && line <= endLine);
    const uncovered = inside.flatMap(([line, ran]) => (ran ? [] : [line])).sort((a, b) => a - b);
    if (inside.length > 0) symbols.push({ id, lines: inside.length, uncovered, report: known.path, stale: await known.isStale(path) });
  }
  symbols.sort((a, b) => b.uncovered.length - a.uncovered.length || (a.id < b.id ? -1 : 1));
  const tests = [...(await testsThatRan(read.reports, graph, changed))].map(([test, { by }]) => ({ id: graph.idOf(test), by }));
  const fresh = symbols.filter(({ stale }) => !stale);
  return {
    lines: fresh.reduce((sum, row) => sum + row.lines, 0),
    uncovered: fresh.reduce((sum, row) => sum + row.uncovered.length, 0),
    symbols: symbols.slice(0, MAX_SYMBOLS).map(row => ({ ...row, uncovered: row.uncovered.slice(0, MAX_LINES) })),
    tests: tests.sort((a, b) => compareText(a.id, b.id)).slice(0, MAX_TESTS),
    reports: read.reports.map(({ ageHours, format, path }) => ({ path, format, ageHours })),
    problems: read.problems,
  };
}

/** A test that ran some code, by the surest report that says so. */
export interface RanTest {
  /** What it ran. */
  readonly of: NodeHandle;
  readonly by: RanBy;
}

/** The tests that ran some code, where a report tells tests apart. */
export async function testsOfCoverage(workspace: Workspace, graph: GraphView, changed: Iterable<NodeHandle>): Promise<ReadonlyMap<NodeHandle, RanTest>> {
  const read = await readReports(workspace, graph);
  return read === undefined ? new Map() : testsThatRan(read.reports, graph, changed);
}

/** A newer report that does not tell tests apart takes nothing away from one that does. */
async function testsThatRan(reports: readonly Report[], graph: GraphView, changed: Iterable<NodeHandle>): Promise<ReadonlyMap<NodeHandle, RanTest>> {
  const found = new Map<NodeHandle, RanTest>();
  const testNamed = testNames(graph);
  for (const node of changed) {
    const { isTest, kind, path, startLine, endLine } = graph.node(node);
    if (isTest || kind === undefined || !FUNCTIONS.has(kind)) continue;
    for (const { ageHours, byPath, isStale, path: report } of reports) {
      const named = [...(byPath.get(path)?.tests ?? [])].flatMap(([line, names]) => (line >= startLine && line <= endLine ? [...names] : []));
      if (named.length === 0) continue;
      const by: RanBy = { provenance: 'coverage', report, ageHours, stale: await isStale(path) };
      for (const name of new Set(named)) {
        const test = testNamed(name);
        const known = test === undefined ? undefined : found.get(test);
        if (test !== undefined && (known === undefined || (known.by.stale && !by.stale))) found.set(test, { of: node, by });
      }
    }
  }
  return found;
}

interface Report {
  readonly path: string;
  readonly format: string;
  /** Since it was written. */
  readonly ageHours: number;
  readonly byPath: ReadonlyMap<WorkspacePath, FileCoverage>;
  /** Whether a file was written after it. */
  readonly isStale: (path: WorkspacePath) => Promise<boolean>;
}

/** The reports of the workspace, newest first; `undefined` without any. */
async function readReports(workspace: Workspace, graph: GraphView): Promise<{ readonly reports: readonly Report[]; readonly problems: string[] } | undefined> {
  const port = workspace.coverage;
  if (port === undefined) return undefined;
  const { files, problems: unread } = await port.reports();
  const problems = [...unread];
  const written = new Map<WorkspacePath, Promise<number | undefined>>();
  const reports = files.flatMap((file): Report[] => {
    const coverage = read(file);
    if (coverage === undefined) {
      problems.push(`${file.path} is not a coverage report in a known format.`);
      return [];
    }
    const isStale = async (path: WorkspacePath): Promise<boolean> => {
      if (!written.has(path)) written.set(path, port.modifiedAt(path));
      return ((await written.get(path)) ?? 0) > file.modifiedAt;
    };
    const ageHours = Math.max(0, Math.round(((port.now() - file.modifiedAt) / HOUR) * 10) / 10);
    return [{ path: file.path, format: coverage.format, ageHours, byPath: pathsIn(workspace.root, graph, file.path, coverage), isStale }];
  });
  return reports.length + problems.length === 0 ? undefined : { reports, problems };
}

/** Lines that can run and whether a test ran them, by file; the newest report that knows a file counts. */
export function linesCovered(root: string, graph: GraphView, files: readonly CoverageFile[]): ReadonlyMap<WorkspacePath, FileCoverage> {
  const found = new Map<WorkspacePath, FileCoverage>();
  for (const file of files) {
    const coverage = read(file);
    if (coverage === undefined) continue;
    for (const [path, lines] of pathsIn(root, graph, file.path, coverage)) if (!found.has(path)) found.set(path, lines);
  }
  return found;
}

/** Files of the graph by path: as a report writes it, from a folder around the report, or as the only one that ends so (import paths of Go, packages of Java). */
function pathsIn(root: string, graph: GraphView, report: WorkspacePath, { files }: ParsedCoverage): ReadonlyMap<WorkspacePath, FileCoverage> {
  const found = new Map<WorkspacePath, FileCoverage>();
  const byName = filesByName(graph);
  const around = foldersAround(report);
  for (const [written, coverage] of files) {
    const absolute = relativeTo(root, written, true);
    const path = absolute ?? written.replace(/^\.\//, '');
    const alike = (byName.get(path.slice(path.lastIndexOf('/') + 1)) ?? []).filter(
      known => known === path || path.endsWith(`/${known}`) || known.endsWith(`/${path}`),
    );
    const match = absolute !== undefined && alike.includes(absolute) ? absolute : nearest(alike, path, around);
    if (match !== undefined) found.set(match, coverage);
  }
  return found;
}

/**
 * Which of several files a path in a report means. Folders go from that of the report up: the first in which the path names one of them, else the first that
 * has any of them, if it has only one.
 */
function nearest(alike: readonly WorkspacePath[], path: string, folders: readonly string[]): WorkspacePath | undefined {
  const named = folders.map(folder => folder + path).find(known => alike.includes(known));
  if (named !== undefined) return named;
  const [match, other] = folders.map(folder => alike.filter(known => known.startsWith(folder))).find(inside => inside.length > 0) ?? [];
  return other === undefined ? match : undefined;
}

const byNameOf = new WeakMap<GraphView, ReadonlyMap<string, readonly WorkspacePath[]>>();

function filesByName(graph: GraphView): ReadonlyMap<string, readonly WorkspacePath[]> {
  const known = byNameOf.get(graph);
  if (known !== undefined) return known;
  const byName = new Map<string, WorkspacePath[]>();
  for (const file of graph.files()) {
    const path = graph.idOf(file);
    const name = path.slice(path.lastIndexOf('/') + 1);
    const paths = byName.get(name);
    if (paths === undefined) byName.set(name, [path]);
    else paths.push(path);
  }
  byNameOf.set(graph, byName);
  return byName;
}

/** `a/b/c.xml`: `a/b/`, `a/` and the root. */
function foldersAround(path: WorkspacePath): readonly string[] {
  const folders: string[] = [];
  for (let at = path.lastIndexOf('/'); at >= 0; at = path.lastIndexOf('/', at - 1)) folders.push(path.slice(0, at + 1));
  return [...folders, ''];
}
