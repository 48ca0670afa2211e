/** Members of literals that code reaches by their names alone: who mentions them, once for all walks over a graph. */
import { type CancellationToken, neverCancelled, throwIfCancelled } from '../../../base/cancellation';
import type { WorkspacePath } from '../../../base/path';
import type { GraphView, NodeHandle } from '../../../code/graph/graphView';
import { NO_NODE } from '../../../model/ids';
import type { Workspace } from '../../../workspace/snapshot';
import { filesNear, isInside, lastName, namesIn } from './mentions';
import { isNamelessMember } from './nodeFlags';
import { ReadTexts } from './readTexts';

/** Names that more code mentions say little of who means which of their bearers. */
const MAX_MENTIONING = 500;

/** Rounds of looking for who mentions members: of those that a walk comes to, then of those that it comes to by that. */
const ROUNDS = 6;

/** Files between two pauses. */
const FILES_AT_ONCE = 32;

const NAMED = /(?:\.\s*|['"`])([A-Za-z_$][\w$]*)(?![\w$])/g;

/** Where a file says some names, as `.name` or `'name'`: lines (1-based) and columns (0-based) in turn, by name. */
interface SaidNames {
  readonly names: ReadonlySet<string>;
  readonly places: ReadonlyMap<string, readonly number[]>;
}

/** By state of a file: a new graph has most of them from the one before. */
const saidIn = new WeakMap<object, SaidNames>();

const ofGraph = new WeakMap<GraphView, MentionedMembers>();

/** Those of a graph: they know nothing until somebody reads the files for them. */
export function mentionedIn(graph: GraphView): MentionedMembers {
  const mentioned = ofGraph.get(graph) ?? new MentionedMembers(graph);
  ofGraph.set(graph, mentioned);
  return mentioned;
}

/**
 * What is computed by walks to tests, computed again as soon as it is known who mentions the members of literals that they came to: every number of tests
 * that anybody is shown comes out of this. Of past states the texts are read for `readsPast` only, since that may take longer than the rest of an answer: for others
 * all who load a literal may run its members. `texts`: of whoever reads the same files again. Throws `Cancelled`.
 */
export async function withMentions<T>(
  workspace: Workspace,
  graph: GraphView,
  token: CancellationToken,
  compute: () => T | Promise<T>,
  { readsPast = false, texts = new ReadTexts(workspace, 0) } = {},
): Promise<T> {
  let value = await compute();
  if (!readsPast && workspace.current()?.stamp.asOf !== undefined) return value;
  const mentioned = mentionedIn(graph);
  for (let round = 0; mentioned.isWanting && round < ROUNDS; round++) {
    await mentioned.read(workspace, texts);
    throwIfCancelled(token);
    value = await compute();
  }
  return value;
}

export class MentionedMembers {
  readonly #known = new Map<NodeHandle, readonly NodeHandle[] | undefined>();
  readonly #said = new Map<WorkspacePath, SaidNames>();
  readonly #wanted = new Set<NodeHandle>();
  #reading: Promise<void> | undefined;

  constructor(private readonly graph: GraphView) {}

  /** Whether somebody asked for a member of which it is not known who mentions it. */
  get isWanting(): boolean {
    return this.#wanted.size > 0;
  }

  /** Functions that mention the name of a member that no reference leads to; `undefined` where none does, too many do, or it is not known yet. */
  usersOf(member: NodeHandle): readonly NodeHandle[] | undefined {
    if (!this.#known.has(member) && isNamelessMember(this.graph, member)) this.#wanted.add(member);
    return this.#known.get(member);
  }

  /** Looks for the members that were asked for. All who wait for it wait for one: nobody may end it for the others. */
  read(workspace: Workspace, texts: ReadTexts): Promise<void> {
    this.#reading ??= this.#read(workspace, texts).finally(() => {
      this.#reading = undefined;
    });
    return this.#reading;
  }

  async #read(workspace: Workspace, texts: ReadTexts): Promise<void> {
    const { graph } = this;
    const asked = [...this.#wanted];
    const byHome = new Map<NodeHandle, NodeHandle[]>();
    for (const member of asked) {
      const home = graph.fileNodeOf(member) ?? member;
      const others = byHome.get(home);
      if (others === undefined) byHome.set(home, [member]);
      else others.push(member);
    }
    for (const members of byHome.values()) {
      const files = filesNear(graph, members);
      await this.#readFiles(workspace, texts, files);
      for (const member of members) this.#known.set(member, this.#usersIn(files, member));
    }
    for (const member of asked) this.#wanted.delete(member);
  }

  async #readFiles(workspace: Workspace, texts: ReadTexts, files: readonly WorkspacePath[]): Promise<void> {
    const { graph } = this;
    const unread = files.filter(path => !this.#said.has(path));
    if (unread.length === 0) return;
    const names = this.#namesOfMembers();
    const serves = new Map<ReadonlySet<string>, boolean>();
    const rest: WorkspacePath[] = [];
    for (const path of unread) {
      const said = saidIn.get(graph.fileStateOf(graph.fileOf(path) ?? NO_NODE) ?? this);
      if (said !== undefined && !serves.has(said.names))
        serves.set(
          said.names,
          [...names].every(name => said.names.has(name)),
        );
      if (said !== undefined && serves.get(said.names) === true) this.#said.set(path, said);
      else rest.push(path);
    }
    let count = 0;
    for await (const [path, text] of texts.of(rest, neverCancelled)) {
      const said = { names, places: placesIn(text, names) };
      this.#said.set(path, said);
      const state = graph.fileStateOf(graph.fileOf(path) ?? NO_NODE);
      if (state !== undefined) saidIn.set(state, said);
      if (++count % FILES_AT_ONCE === 0) await workspace.pause?.();
    }
  }

  /** Names of all such members of the graph: who looks for one looks for all. */
  #namesOfMembers(): ReadonlySet<string> {
    const { graph } = this;
    const names = new Set<string>();
    for (const file of graph.files())
      for (const symbol of graph.symbolsOf(file)) if (isNamelessMember(graph, symbol)) names.add(lastName(graph.node(symbol).name));
    return names;
  }

  #usersIn(files: readonly WorkspacePath[], member: NodeHandle): readonly NodeHandle[] | undefined {
    const { graph } = this;
    const name = lastName(graph.node(member).name);
    const users = new Set<NodeHandle>();
    for (const path of files) {
      const places = this.#said.get(path)?.places.get(name) ?? [];
      for (let at = 0; at < places.length; at += 2) {
        const user = graph.symbolAt(path, places[at] ?? 0, places[at + 1] ?? 0);
        // What a file says outside of its functions it says whenever it is loaded: that need not run what it names.
        if (user !== undefined && user !== member && !isInside(graph, user, member)) users.add(user);
      }
    }
    return users.size === 0 || users.size > MAX_MENTIONING ? undefined : [...users];
  }
}

function placesIn(text: string, names: ReadonlySet<string>): ReadonlyMap<string, readonly number[]> {
  const found = new Map<string, number[]>();
  for (const { column, line, name } of namesIn(text, NAMED)) {
    if (!names.has(name)) continue;
    const places = found.get(name);
    if (places === undefined) found.set(name, [line, column]);
    else places.push(line, column);
  }
  return found;
}
