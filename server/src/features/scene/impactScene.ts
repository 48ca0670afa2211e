import { counted, figure } from '../../../protocol/figures';
import { reachWords } from '../../../protocol/reachWords';
import type { WorkspacePath } from '../../base/path';
import { compareText } from '../../base/text';
import type { GraphView, NodeHandle } from '../../code/graph/graphView';
import { FACT_CONFIDENCE, SHOWN_CONFIDENCE } from '../../model/evidence';
import { SEPARATOR } from '../../model/ids';
import { closenessAmong } from '../impact/closeness';
import type { ImpactAnswer, Impacted } from '../impact/impact';
import type { DrawnScene } from './columns/columnScene';
import { byFile, folded, grouped } from './folding';
import { Neighbors } from './neighbors';
import { symbolProjection } from './projections';
import { type Expansions, moreKey, openKey } from './question';
import type { SceneFilter } from './sceneFilter';
import type { Groups } from './sceneGroups';
import { nodeDto, placeholderNode } from './sceneNodes';
import type { SceneDto, SceneEdgeDto, SceneGroupDto, SceneNodeDto, SceneSpread } from './sceneShapes';

export interface ImpactOptions {
  readonly graph: GraphView;
  readonly answer: ImpactAnswer;
  readonly filter: SceneFilter;
  /** What dependents are put together by when they are too many to be shown one by one; their folders when absent. */
  readonly groups: Groups | undefined;
  readonly expansions: Expansions;
  readonly edgeBudget: number;
  /** Steps that dependents were looked for in; tests may be further away. */
  readonly maxDepth: number;
}

/** As many dependents that are no tests stand for themselves; of more there are groups first. */
const MAX_ALONE = 60;
const MAX_GROUPS = 14;
/** Rows of an opened group, and what one expansion adds. */
const PER_GROUP = 24;
const FEW_TESTS = 6;
/** Parts that are told of where an impact goes. */
const MAX_PARTS = 10;

/** Ends the id of the rest of a folder. */
const REST = '/…';

/** Something impacted, with what it is ordered by. */
interface Row {
  readonly impacted: Impacted;
  readonly node: NodeHandle;
  readonly path: WorkspacePath;
  /** Closeness to the change: how often it uses what leads there, how sure that is, and how much else is reached through it. */
  readonly weight: number;
  /** Some step that leads here is. */
  readonly isPossible: boolean;
  /** Of what is certain, never that of something possible: many certain steps make a way less sure, but no step of it is in doubt. */
  readonly confidence: number;
}

interface Group {
  readonly id: string;
  readonly label: string;
  readonly kind: SceneGroupDto['kind'];
  readonly path: WorkspacePath;
  readonly rows: readonly Row[];
  readonly isTest: boolean;
}

/**
 * What a change may break, in columns by distance, in each the closest first, tests in a lane of their own. Up to sixty dependents stand for themselves,
 * by file; more in groups, each in the column behind the group that most of it is reached through. A group opens in place.
 */
export class ImpactScene {
  readonly #graph: GraphView;
  readonly #starts: readonly string[];
  readonly #neighbors: Neighbors;
  readonly #rows: readonly Row[];
  readonly #nodes: SceneNodeDto[] = [];
  readonly #frames: SceneGroupDto[] = [];
  readonly #edges = new Map<string, SceneEdgeDto>();
  /** What is shown for an impacted node: itself or its group; and the column of what is shown. */
  readonly #shownFor = new Map<string, string>();
  readonly #columns = new Map<string, number>();
  #hidden = 0;

  constructor(private readonly options: ImpactOptions) {
    const { graph, answer, filter } = options;
    this.#graph = graph;
    const starts = answer.targets.map(id => graph.find(id)).filter(node => node !== undefined);
    this.#starts = starts.map(start => graph.idOf(start));
    const projection = symbolProjection(graph, starts);
    this.#neighbors = new Neighbors(graph, filter, projection.shownFor, projection.standsFor);
    this.#rows = this.#ranked();
  }

  draw(): DrawnScene {
    for (const id of this.#starts) {
      const node = this.#graph.find(id);
      if (node !== undefined) this.#nodes.push(nodeDto(this.#graph, node, { role: 'start', column: 0, lane: 'main', confidence: SHOWN_CONFIDENCE.certain }));
      this.#columns.set(id, 0);
    }
    const code = this.#rows.filter(row => !row.impacted.isTest).length;
    if (this.options.groups === undefined && code <= Math.min(MAX_ALONE, this.options.edgeBudget / 2)) this.#alone();
    else this.#inGroups();
    this.#linkAside();
    return { nodes: this.#nodes, edges: [...this.#edges.values()], groups: this.#frames, omitted: { nodes: this.#hidden, edges: 0 } };
  }

  /** Where the impact goes, by folder. What is only possible counts where nothing is certain. */
  spread(): SceneSpread {
    const isTest = (row: Row): boolean => row.impacted.isTest;
    const all = this.#rows.filter(row => !isTest(row)).map(row => ({ ...row, weight: 1 }));
    const certain = all.filter(row => !row.isPossible);
    const code = certain.length > 0 ? certain : all;
    const parts = folded(code, MAX_PARTS);
    const tests = this.#rows.filter(isTest);
    return {
      dependents: code.length,
      parts: parts.map(({ path, items, isRest = false }) => ({ label: path === '' ? '(root)' : path, count: items.length, isRest })),
      tests: tests.length,
      testFiles: new Set(tests.map(row => row.path)).size,
    };
  }

  /** All that is to be told of, nearest first, then closest. */
  #ranked(): Row[] {
    const { answer, filter } = this.options;
    const byId = new Map<string, Impacted>();
    for (const row of [...answer.impacted, ...answer.directTests, ...answer.transitiveTests, ...answer.maybe]) if (!byId.has(row.id)) byId.set(row.id, row);
    // A file that only imports is told by its symbols when any of them is impacted as near.
    const withSymbols = new Set([...byId.values()].filter(row => row.kind !== 'file').map(row => `${row.path}\n${row.depth}`));
    const possible = new Set(answer.maybe.map(row => row.id));
    const closeness = closenessAmong(this.#graph, [...byId.values()]);
    const rows = [...byId.values()].flatMap((impacted): Row[] => {
      const node = this.#graph.find(impacted.id);
      if (node === undefined || !filter.node(node) || (impacted.kind === 'file' && withSymbols.has(`${impacted.path}\n${impacted.depth}`))) return [];
      const isPossible = impacted.possible === true || possible.has(impacted.id);
      const confidence = isPossible ? impacted.confidence : Math.max(FACT_CONFIDENCE, impacted.confidence);
      return [{ impacted, node, path: impacted.path, weight: closeness(impacted), isPossible, confidence }];
    });
    return rows.sort((a, b) => a.impacted.depth - b.impacted.depth || b.weight - a.weight || compareText(a.impacted.id, b.impacted.id));
  }

  #alone(): void {
    const { maxDepth } = this.options;
    const near = this.#rows.filter(row => row.impacted.depth <= maxDepth);
    for (const rows of grouped(near, row => String(row.impacted.depth)).values()) {
      const column = rows[0]?.impacted.depth ?? 1;
      const code = rows.filter(row => !row.impacted.isTest);
      this.#files(code, column, undefined, code.length);
      this.#tests(
        rows.filter(row => row.impacted.isTest),
        column,
      );
    }
    const farther = this.#rows.filter(row => row.impacted.depth > maxDepth);
    if (farther.length > 0) this.#tests(farther, maxDepth + 1);
    this.#linkRows();
  }

  #tests(tests: readonly Row[], column: number): void {
    const id = `tests:${column}`;
    if (tests.length <= FEW_TESTS) return this.#files(tests, column, undefined, Number.POSITIVE_INFINITY);
    const group: Group = {
      id,
      label: `${counted(tests.length, 'test')} in ${counted(byFile(tests).length, 'file')}`,
      kind: 'folder',
      path: '',
      rows: tests,
      isTest: true,
    };
    this.#group(group, column);
  }

  /** Rows in cards by file, in the order of the first of each; `parent` is the opened group around them. */
  #files(rows: readonly Row[], column: number, parent: string | undefined, most: number): void {
    const shown = rows.slice(0, most);
    for (const [path, own] of grouped(shown, row => row.path)) {
      const id = `${parent ?? column}:${path}`;
      this.#frames.push({ id, label: path, kind: 'file', size: own.length, ...(parent === undefined ? {} : { parent }) });
      for (const { confidence, impacted, node } of own) {
        const lane = impacted.isTest ? 'tests' : 'main';
        this.#nodes.push(nodeDto(this.#graph, node, { role: 'step', column, lane, confidence, parent: id }));
        this.#shownFor.set(impacted.id, impacted.id);
        this.#columns.set(impacted.id, column);
      }
    }
  }

  #inGroups(): void {
    const all = this.#groups();
    const holder = new Map(all.flatMap(group => group.rows.map((row): [string, string] => [row.impacted.id, group.id])));
    const columns = columnsOf(all, holder);
    for (const group of all) this.#group(group, columns.get(group.id) ?? 1);
    this.#linkRows();
  }

  #groups(): Group[] {
    const made = (rows: readonly Row[], isTest: boolean): Group[] => {
      const { groups } = this.options;
      if (groups === undefined) {
        return folded(
          rows.map(row => ({ ...row, weight: 1 })),
          isTest ? 4 : MAX_GROUPS,
        ).map(({ path, items, isRest }) => {
          const isFile = items.every(item => item.path === path);
          const name = path === '' ? '(root)' : path;
          const label = isRest === true ? `${counted(byFile(items).length, 'more file')}${path === '' ? '' : ` in ${path}`}` : name;
          return {
            id: `${isTest ? 'tests' : 'group'}:${path}${isRest === true ? REST : ''}`,
            label,
            kind: isFile ? 'file' : 'folder',
            path: isRest === true ? '' : path,
            rows: this.#inOrder(items),
            isTest,
          };
        });
      }
      const byGroup = grouped(rows, row => groups.of(row.node)?.id ?? '');
      return [...byGroup].map(([id, own]): Group => {
        const group = own[0] === undefined ? undefined : groups.of(own[0].node);
        return { id: `${isTest ? 'tests' : 'group'}:${id}`, label: group?.label ?? 'Other', kind: group?.kind ?? 'folder', path: '', rows: own, isTest };
      });
    };
    const code = this.#rows.filter(row => !row.impacted.isTest);
    const tests = this.#rows.filter(row => row.impacted.isTest);
    const isRest = ({ id }: Group): boolean => id.endsWith(REST);
    const certain = ({ rows }: Group): number => rows.reduce((sum, row) => sum + Number(!row.isPossible), 0);
    const bySize = (a: Group, b: Group): number =>
      Number(isRest(a)) - Number(isRest(b)) || certain(b) - certain(a) || b.rows.length - a.rows.length || compareText(a.id, b.id);
    return [...made(code, false).sort(bySize), ...made(tests, true).sort(bySize)];
  }

  #inOrder(items: readonly { readonly node: NodeHandle }[]): Row[] {
    const own = new Set(items.map(item => item.node));
    return this.#rows.filter(row => own.has(row.node));
  }

  /** A closed group is a box with what it holds; an open one a frame around its rows. */
  #group(group: Group, column: number): void {
    const { id, label, kind, path, rows, isTest } = group;
    const { expansions } = this.options;
    for (const { impacted } of rows) this.#shownFor.set(impacted.id, id);
    this.#columns.set(id, column);
    if (expansions.isOpen(id)) {
      const most = PER_GROUP * (1 + expansions.times(moreKey(id)));
      this.#frames.push({ id, label, kind, size: rows.length });
      this.#files(rows, column, id, most);
      const rest = rows.length - most;
      if (rest <= 0) return;
      this.#hidden += rest;
      const key = moreKey(id);
      this.#nodes.push(
        placeholderNode({
          id: `bundle:${key}`,
          label: `${figure(rest)} more`,
          kind: 'bundle',
          role: 'bundle',
          size: rest,
          column,
          lane: isTest ? 'tests' : 'main',
          isTest,
          expand: key,
          parent: id,
        }),
      );
      return;
    }
    this.#hidden += rows.length;
    const possible = rows.filter(row => row.isPossible).length;
    const counts = { dependents: isTest ? 0 : rows.length - possible, tests: isTest ? rows.length : this.#testsUnder(path), possible };
    const confidence = possible < rows.length ? SHOWN_CONFIDENCE.certain : SHOWN_CONFIDENCE.possible;
    this.#nodes.push(
      placeholderNode({
        id,
        label,
        kind,
        role: 'box',
        size: rows.length,
        path,
        column,
        lane: isTest ? 'tests' : 'main',
        isTest,
        confidence,
        expand: openKey(id),
        counts,
      }),
    );
  }

  #testsUnder(path: WorkspacePath): number {
    return path === '' ? 0 : this.#rows.filter(row => row.impacted.isTest && (row.path === path || row.path.startsWith(`${path}/`))).length;
  }

  /** The step of evidence of all that is shown: to what is shown for the node before it, or for one further towards the change. */
  #linkRows(): void {
    const ways = new Map<string, Map<string, { count: number; confidence: number; relation: string; line: number }>>();
    for (const { confidence, impacted } of this.#rows) {
      const source = this.#shownFor.get(impacted.id);
      const target = this.#towards(impacted);
      if (source === undefined || target === undefined || source === target) continue;
      let own = ways.get(source);
      if (own === undefined) ways.set(source, (own = new Map()));
      const known = own.get(target);
      if (known === undefined) own.set(target, { count: 1, confidence, relation: impacted.relation, line: impacted.line });
      else own.set(target, { ...known, count: known.count + 1, confidence: Math.max(known.confidence, confidence) });
    }
    for (const [place, node] of this.#nodes.entries()) {
      const column = node.column;
      const own = [...(ways.get(node.id) ?? [])].sort(
        ([a, left], [b, right]) =>
          Math.abs(column - 1 - this.#columnOf(a)) - Math.abs(column - 1 - this.#columnOf(b)) || right.count - left.count || compareText(a, b),
      );
      const [first] = own;
      if (first === undefined || this.#edges.size >= this.options.edgeBudget) continue;
      const [target, { relation, line }] = first;
      this.#nodes[place] = { ...node, via: { id: target, relation, line: node.role === 'step' ? line : 0 } };
      for (const [to, link] of own) {
        if (this.#edges.size >= this.options.edgeBudget) break;
        const links = [{ relation: link.relation, count: link.count, confidence: link.confidence, provenance: '', line: node.role === 'step' ? link.line : 0 }];
        this.#edges.set(`${node.id}→${to}`, { source: node.id, target: to, links, count: link.count, confidence: link.confidence });
      }
    }
  }

  #columnOf(id: string): number {
    return this.#columns.get(id) ?? 0;
  }

  #towards({ via }: Impacted): string | undefined {
    const own = this.#shownFor.get(via.at(-1) ?? '');
    for (const id of via.slice(0, -1).reverse()) {
      const shown = this.#shownFor.get(id);
      if (shown !== undefined && shown !== own) return shown;
    }
    const [first = ''] = via;
    return (
      this.#starts.find(start => first === start || first.startsWith(`${start}${SEPARATOR}`)) ??
      this.#starts.find(start => first.startsWith(start)) ??
      this.#starts[0]
    );
  }

  /** Other links between what is shown by itself, for highlighting. */
  #linkAside(): void {
    const shown = new Set(this.#nodes.filter(node => node.role === 'step').map(node => node.id));
    for (const id of shown) {
      const node = this.#graph.find(id);
      if (node === undefined) continue;
      for (const { node: other, links, count, confidence } of this.#neighbors.of(node, 'out')) {
        const target = this.#graph.idOf(other);
        const key = `${id}→${target}`;
        if (!shown.has(target) && !this.#starts.includes(target)) continue;
        if (this.#edges.has(key) || this.#edges.size < this.options.edgeBudget) this.#edges.set(key, { source: id, target, links, count, confidence });
      }
    }
  }
}

/** Groups that are reached at once come first, each other one behind the group that its nearest rows are reached through. */
function columnsOf(groups: readonly Group[], holder: ReadonlyMap<string, string>): ReadonlyMap<string, number> {
  const columns = new Map<string, number>();
  const byDepth = groups.toSorted((a, b) => (a.rows[0]?.impacted.depth ?? 0) - (b.rows[0]?.impacted.depth ?? 0));
  for (const { id, rows } of byDepth) {
    const nearest = rows[0]?.impacted.depth ?? 1;
    const before = rows.filter(row => row.impacted.depth === nearest).map(row => columns.get(holder.get(row.impacted.via.at(-2) ?? '') ?? ''));
    columns.set(id, nearest === 1 ? 1 : 1 + Math.min(...before.map(column => column ?? 1)));
  }
  return columns;
}

/** `12 dependents in 5 files, 3 tests, 2 possible. Reach: medium.` */
export function impactSummary(answer: ImpactAnswer): string {
  const { counts } = answer;
  const { direct, transitive, files, directTests, transitiveTests, maybe } = counts;
  if (direct + transitive + maybe + directTests + transitiveTests === 0) return 'No dependents.';
  const parts = [
    `${counted(direct + transitive, 'dependent')} in ${counted(files, 'file')}`,
    counted(directTests + transitiveTests, 'test'),
    ...(maybe > 0 ? [`${figure(maybe)} possible`] : []),
  ];
  return `${parts.join(', ')}. Reach: ${reachWords(answer)}.`;
}

export function impactFields(answer: ImpactAnswer): Pick<SceneDto, 'risk'> {
  return { risk: answer.risk };
}
