import { counted, figure } from '../../../protocol/figures';
import { COMPARED } from '../../../protocol/graphView';
import { interfaceCounts } from '../../../protocol/interfaceChanges';
import type { CancellationToken } from '../../base/cancellation';
import { ok, type Result } from '../../base/result';
import { compareText } from '../../base/text';
import type { GraphView, NodeHandle } from '../../code/graph/graphView';
import { breakVerdict } from '../../model/breakVerdict';
import { SHOWN_CONFIDENCE } from '../../model/evidence';
import { isGeneratedByName } from '../../model/toolchains';
import type { Workspace } from '../../workspace/snapshot';
import { type Comparison, compare } from '../compare/graphDiff';
import type { Changed } from '../compare/nodeChanges';
import type { FeatureFailure } from '../shared/failure';
import { dependencyLinks } from '../shared/links';
import { Question, type Scene } from './question';
import { nodeDto } from './sceneNodes';
import type { SceneDto, SceneEdgeDto, SceneNodeDto, SceneParams } from './sceneShapes';

/** Changed symbols that are drawn, the most telling ones. */
const MAX_CHANGED = 160;
/** Unchanged code that uses what breaks. */
const MAX_USERS = 40;

/** Two states as one picture: what was added, removed and changed, in columns and by file, and the code that breaks by it. */
export async function compareScene(
  workspace: Workspace,
  params: SceneParams,
  token: CancellationToken,
): Promise<Result<{ readonly question: Question; readonly scene: Scene; readonly stamp: SceneDto['stamp'] }, FeatureFailure>> {
  const states = { ...(params.target === undefined ? {} : { from: params.target }), ...(params.to === undefined ? {} : { to: params.to }) };
  const compared = await compare(workspace, { ...states, include: ['nodes', 'edges', 'api'] }, token);
  if (!compared.ok) return compared;
  const { answer, newer } = compared.value;
  const question = new Question(newer.workspace, newer.snapshot, params);
  return ok({ question, scene: new CompareScene(compared.value, question).draw(), stamp: answer.stamp });
}

class CompareScene {
  readonly #nodes = new Map<string, SceneNodeDto>();
  /** By id in the older state. */
  readonly #now = new Map<string, string>();

  constructor(
    private readonly comparison: Comparison,
    private readonly question: Question,
  ) {}

  draw(): Scene {
    const { answer } = this.comparison;
    const breaking = new Set(answer.breaking.map(({ id }) => id));
    const wanted = this.#wanted(breaking);
    for (const change of wanted.slice(0, MAX_CHANGED)) this.#addChanged(change, breaking);
    for (const { uses } of answer.breaking) {
      // Tests are drawn where nothing else breaks.
      const code = uses.filter(use => !use.isTest);
      for (const { id } of code.length > 0 ? code : uses) this.#addUser(id);
    }
    const edges = this.#edges();
    // Tests are counted apart, as in the list of the changes.
    const code = wanted.filter(({ row }) => !row.isTest);
    const count = (what: SceneNodeDto['change']): number => code.filter(({ row }) => row.change === what).length;
    const changed = code.length - count('added') - count('removed');
    const inTests = wanted.length === code.length ? '' : `, ${figure(wanted.length - code.length)} in tests`;
    const offered = interfaceCounts(answer.interfaces, counted);
    return {
      layout: 'sheet',
      title: `${this.question.params.label ?? nameOf(answer.from)} → ${nameOf(answer.to)}`,
      summary: `${figure(count('added'))} added, ${figure(count('removed'))} removed, ${figure(changed)} changed${inTests}${offered === '' ? '' : `; ${offered}`}; ${breakVerdict(answer, counted)}.`,
      starts: [],
      nodes: [...this.#nodes.values()],
      edges,
      groups: this.#groups(),
      expanded: [],
      ...(answer.interfaces.length === 0 || this.question.params.breaking === true ? {} : { interfaces: answer.interfaces }),
      omitted: { nodes: Math.max(0, wanted.length - MAX_CHANGED), edges: 0 },
    };
  }

  /** Symbols to draw, breaking ones first, then the most central ones, tests and generated code last; members that came or went with their holder are told by it. */
  #wanted(breaking: ReadonlySet<string>): Changed[] {
    const { params } = this.question;
    const isBreaking = ({ row }: Changed): boolean => breaking.has(row.oldId ?? row.id);
    const isWanted = (change: Changed): boolean =>
      change.row.kind !== 'file' &&
      !(change.row.withHolder === true && this.#isMember(change)) &&
      (params.tests !== false || !change.row.isTest) &&
      (params.breaking !== true || isBreaking(change));
    const { after, before } = this.comparison.pairing;
    const rankOf = ({ fresh, old }: Changed): number => (fresh === undefined ? before.pageRank()[old ?? -1] : after.pageRank()[fresh]) ?? 0;
    const wanted = this.comparison.changes.filter(isWanted);
    const generated: ReadonlySet<string> = new Set([...new Set(wanted.map(({ row }) => row.path))].filter(isGeneratedByName));
    const order = (a: Changed, b: Changed): number =>
      Number(a.row.isTest) - Number(b.row.isTest) ||
      Number(generated.has(a.row.path)) - Number(generated.has(b.row.path)) ||
      rankOf(b) - rankOf(a) ||
      compareText(a.row.id, b.row.id);
    return wanted.sort((a, b) => Number(isBreaking(b)) - Number(isBreaking(a)) || order(a, b));
  }

  #isMember({ fresh, old }: Changed): boolean {
    const { after, before } = this.comparison.pairing;
    const [view, node] = fresh === undefined ? [before, old] : [after, fresh];
    const holder = node === undefined ? undefined : view.parentOf(node);
    return holder !== undefined && view.fileNodeOf(holder) !== holder;
  }

  #addChanged({ fresh, old, row }: Changed, breaking: ReadonlySet<string>): void {
    const { after, before } = this.comparison.pairing;
    const [view, node] = fresh === undefined ? [before, old] : [after, fresh];
    if (node === undefined) return;
    if (old !== undefined) this.#now.set(before.idOf(old), row.id);
    const isBreaking = breaking.has(row.oldId ?? row.id);
    const lines = row.oldSignature === undefined || row.signature === undefined ? {} : { signature: `${row.oldSignature} → ${row.signature}` };
    const dto = this.#dto(view, node);
    const column = columnOf(isBreaking ? 'Breaking' : row.change === 'added' ? 'Added' : row.change === 'removed' ? 'Removed' : 'Changed');
    this.#nodes.set(row.id, { ...dto, ...lines, column, change: row.change, ...(isBreaking ? { breaking: true as const } : {}) });
  }

  #addUser(id: string): void {
    const { after } = this.comparison.pairing;
    const node = after.find(id);
    const users = [...this.#nodes.values()].filter(({ change }) => change === undefined).length;
    if (node !== undefined && !this.#nodes.has(id) && users < MAX_USERS) this.#nodes.set(id, this.#dto(after, node));
  }

  #dto(view: GraphView, node: NodeHandle): SceneNodeDto {
    const { isTest, path } = view.node(node);
    return nodeDto(view, node, {
      role: 'step',
      column: columnOf('Code that breaks'),
      lane: isTest ? 'tests' : 'main',
      confidence: SHOWN_CONFIDENCE.certain,
      parent: frameOf(path),
    });
  }

  /** Dependencies between what is drawn: those that stayed or came, then those that went. */
  #edges(): SceneEdgeDto[] {
    const { answer, pairing } = this.comparison;
    const { after } = pairing;
    const { kinds } = dependencyLinks('all');
    const added = new Set(answer.edges.added.map(({ relation, source, target }) => `${source}\n${relation}\n${target}`));
    const edges: SceneEdgeDto[] = [];
    for (const id of this.#nodes.keys()) {
      const node = after.find(id);
      if (node === undefined) continue;
      const byTarget = new Map<string, SceneEdgeDto['links'][number][]>();
      for (const { confidence, count, lines, relation, source, target } of after.out(node, undefined, kinds)) {
        const other = after.idOf(target);
        if (source === target || !this.#nodes.has(other)) continue;
        const links = byTarget.get(other) ?? [];
        byTarget.set(other, links);
        links.push({ relation, count, confidence, provenance: '', line: lines[0] ?? 0 });
      }
      for (const [target, links] of byTarget) {
        const isNew = links.every(({ relation }) => added.has(`${id}\n${relation}\n${target}`));
        edges.push({ ...edgeOf(id, target, links), ...(isNew ? { change: 'added' as const } : {}) });
      }
    }
    const drawn = new Set(edges.map(({ source, target }) => `${source}\n${target}`));
    for (const { certain, relation, source, target } of answer.edges.removed) {
      const [from, to] = [this.#now.get(source) ?? source, this.#now.get(target) ?? target];
      if (from === to || !this.#nodes.has(from) || !this.#nodes.has(to) || drawn.has(`${from}\n${to}`)) continue;
      drawn.add(`${from}\n${to}`);
      edges.push({
        ...edgeOf(from, to, [{ relation, count: 1, confidence: certain ? SHOWN_CONFIDENCE.certain : SHOWN_CONFIDENCE.possible, provenance: '', line: 0 }]),
        change: 'removed',
      });
    }
    return edges.slice(0, this.question.edgeBudget);
  }

  #groups(): SceneDto['groups'] {
    const sizes = new Map<string, { readonly path: string; size: number }>();
    for (const { parent, path } of this.#nodes.values()) {
      if (parent === undefined) continue;
      const known = sizes.get(parent);
      if (known === undefined) sizes.set(parent, { path, size: 1 });
      else known.size++;
    }
    return [...sizes].map(([id, { path, size }]) => ({ id, label: path, kind: 'file', size }));
  }
}

function columnOf(name: (typeof COMPARED)[number]): number {
  return COMPARED.indexOf(name) + 1;
}

function frameOf(path: string): string {
  return `frame:${path}`;
}

function edgeOf(source: string, target: string, links: SceneEdgeDto['links']): SceneEdgeDto {
  const confidence = Math.max(...links.map(link => link.confidence));
  return { source, target, links, count: links.reduce((sum, link) => sum + link.count, 0), confidence };
}

function nameOf({ commit, name }: { readonly commit: string; readonly name: string }): string {
  if (name === 'working') return 'current code';
  if (name === 'merge-base') return `start of the branch (${commit.slice(0, 7)})`;
  return name.startsWith('commit:') ? name.slice('commit:'.length, 'commit:'.length + 7) : name;
}
