import { z } from 'zod';
import { relativeTo, type WorkspacePath } from '../../base/path';
import type { GraphView, NodeHandle } from '../../code/graph/graphView';
import { KIND_GROUPS } from '../../model/nodes';
import type { CoverageFile } from '../../workspace/coverage';
import type { Workspace } from '../../workspace/snapshot';
import { object, type Shaped, shape } from '../shared/shape';
import { type FileCoverage, type ParsedCoverage, parseCoverage } from './coverageFormats';

/** What coverage reports of earlier test runs say of changed code. */
export const coverageShape = shape(() =>
  object({
    /** Of all changed functions together: lines that can run, and those of them that no test ran. */
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
    /** Cases that ran some of the lines, where a report tells tests apart; at most two hundred. */
    tests: z.array(z.string()),
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
  const port = workspace.coverage;
  if (port === undefined) return undefined;
  const { files, problems: unread } = await port.reports();
  const problems = [...unread];
  const reports = files.flatMap(file => {
    const coverage = read(file);
    if (coverage === undefined) problems.push(`${file.path} is not a coverage report in a known format.`);
    return coverage === undefined ? [] : [{ file, coverage, byPath: pathsIn(workspace.root, graph, coverage) }];
  });
  if (reports.length + problems.length === 0) return undefined;
  const symbols: Coverage['symbols'][number][] = [];
  const tests = new Set<string>();
  const written = new Map<WorkspacePath, number | undefined>();
  for (const node of changed) {
    const { id, kind, path, startLine, endLine, isTest } = graph.node(node);
    const known = reports.find(report => report.byPath.has(path));
    const lines = known?.byPath.get(path);
    if (known === undefined || lines === undefined || isTest || kind === undefined || !FUNCTIONS.has(kind)) continue;
    if (!written.has(path)) written.set(path, await port.modifiedAt(path));
    const inside = [...lines.lines].filter(([line]) => line >= startLine && line <= endLine);
    // A newer report that does not tell tests apart takes nothing away from one that does.
    for (const { byPath } of reports)
      for (const [line, ran] of byPath.get(path)?.tests ?? [])
        if (line >= startLine && line <= endLine) for (const test of ran) if (graph.find(test) !== undefined) tests.add(test);
    const uncovered = inside.flatMap(([line, ran]) => (ran ? [] : [line])).sort((a, b) => a - b);
    if (inside.length > 0)
      symbols.push({ id, lines: inside.length, uncovered, report: known.file.path, stale: (written.get(path) ?? 0) > known.file.modifiedAt });
  }
  symbols.sort((a, b) => b.uncovered.length - a.uncovered.length || (a.id < b.id ? -1 : 1));
  return {
    lines: symbols.reduce((sum, row) => sum + row.lines, 0),
    uncovered: symbols.reduce((sum, row) => sum + row.uncovered.length, 0),
    symbols: symbols.slice(0, MAX_SYMBOLS).map(row => ({ ...row, uncovered: row.uncovered.slice(0, MAX_LINES) })),
    tests: [...tests].sort().slice(0, MAX_TESTS),
    reports: reports.map(({ file, coverage }) => ({
      path: file.path,
      format: coverage.format,
      ageHours: Math.max(0, Math.round(((port.now() - file.modifiedAt) / HOUR) * 10) / 10),
    })),
    problems,
  };
}

/** Lines that can run and whether a test ran them, by file; the newest report that knows a file counts. */
export function linesCovered(root: string, graph: GraphView, files: readonly CoverageFile[]): ReadonlyMap<WorkspacePath, FileCoverage> {
  const found = new Map<WorkspacePath, FileCoverage>();
  for (const file of files) {
    const coverage = read(file);
    if (coverage === undefined) continue;
    for (const [path, lines] of pathsIn(root, graph, coverage)) if (!found.has(path)) found.set(path, lines);
  }
  return found;
}

/** Files of the graph by path: as a report writes it, below the workspace, or as the only one that ends so (import paths of Go, packages of Java). */
function pathsIn(root: string, graph: GraphView, { files }: ParsedCoverage): ReadonlyMap<WorkspacePath, FileCoverage> {
  const found = new Map<WorkspacePath, FileCoverage>();
  const byName = new Map<string, WorkspacePath[]>();
  for (const file of graph.files()) {
    const path = graph.idOf(file);
    const name = path.slice(path.lastIndexOf('/') + 1);
    byName.set(name, [...(byName.get(name) ?? []), path]);
  }
  for (const [written, coverage] of files) {
    const path = relativeTo(root, written, true) ?? written.replace(/^\.\//, '');
    const alike = (byName.get(path.slice(path.lastIndexOf('/') + 1)) ?? []).filter(
      known => known === path || path.endsWith(`/${known}`) || known.endsWith(`/${path}`),
    );
    const [match, other] = alike.includes(path) ? [path] : alike;
    if (match !== undefined && other === undefined) found.set(match, coverage);
  }
  return found;
}
