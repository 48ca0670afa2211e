import type { GraphView, NodeHandle } from '../../../code/graph/graphView';
import { FACT_CONFIDENCE } from '../../../model/evidence';
import { externalId } from '../../../model/ids';
import { relationMask } from '../../../model/relations';
import { type DataAccess, dataAccessOf, dataAccessSpelled } from '../../../services/dataAccess';

/** Steps from a name to the library behind it: a field, its type, the type below that, and so on. */
const MAX_STEPS = 6;
const EXTERNAL = externalId('');

/** What code does with the stores of its service. */
const USES = relationMask('CALLS', 'INSTANTIATES', 'READS_FROM', 'USES_CONSTANT', 'USES_GLOBAL', 'USES_CONTEXT_MANAGER', 'USES_TYPE');
/** What tells the library behind a field, a variable or a constant: its type, or what it is made by. */
const MADE_OF = relationMask('USES_TYPE', 'CALLS', 'INSTANTIATES');
/** What tells the library behind a type: what it inherits, and marks on it that a library reads. */
const INHERITED = relationMask('INHERITS', 'IMPLEMENTS');
const MARKED = relationMask('DECORATES');
const IMPORTS = relationMask('IMPORTS');

/** A place where code reaches a store. */
export interface StoreAccess {
  readonly access: DataAccess;
  /** 1-based. */
  readonly line: number;
}

/** Tells where code reaches stores, by the libraries behind the names that it uses. Holds for one graph. */
export class StoreAccesses {
  readonly #known = new Map<NodeHandle, DataAccess | undefined>();

  constructor(private readonly graph: GraphView) {}

  /** Accesses of a symbol or file itself on lines that are meant, in the order of the lines. */
  of(node: NodeHandle, isMeant: (line: number) => boolean): StoreAccess[] {
    const { graph } = this;
    const first = graph.node(node).nameLine;
    return graph
      .out(node, undefined, USES)
      .flatMap(({ confidence, lines, relation, target }) => {
        if (confidence < FACT_CONFIDENCE) return [];
        const access = graph.kindOf(target) === 'external' ? this.#external(target, node) : this.#behind(target, MAX_STEPS);
        // A class of records in the head of a function says what it takes and gives.
        const isOfBody = access?.isOfRecords === true && relation === 'USES_TYPE';
        const line = lines.find(each => isMeant(each) && !(isOfBody && each <= first));
        return access === undefined || line === undefined ? [] : [{ access, line }];
      })
      .sort((a, b) => a.line - b.line);
  }

  #behind(node: NodeHandle, steps: number): DataAccess | undefined {
    const known = this.#known.get(node);
    if (known !== undefined || this.#known.has(node) || steps === 0) return known;
    // Types may inherit from each other where code is wrong.
    this.#known.set(node, undefined);
    const found = this.#found(node, steps - 1);
    this.#known.set(node, found);
    return found;
  }

  #found(node: NodeHandle, steps: number): DataAccess | undefined {
    const { graph } = this;
    switch (graph.kindOf(node)) {
      case 'external':
      case 'file':
        return undefined;
      case 'field':
      case 'property':
      case 'variable':
      case 'constant':
        return withoutRecords(this.#member(node, steps) ?? this.#along(node, MADE_OF, steps) ?? this.#declaredWith(node, steps) ?? this.#spelled(node));
      case 'function':
      case 'method':
      case 'constructor':
        return withoutRecords(this.#member(node, steps));
      default:
        return this.#along(node, INHERITED, steps) ?? this.#marks(node);
    }
  }

  /** What a member of a type reaches as one: a query of a repository, a table of a context. */
  #member(node: NodeHandle, steps: number): DataAccess | undefined {
    const parent = this.graph.parentOf(node);
    return parent === undefined ? undefined : this.#behind(parent, steps);
  }

  /** What stands on the lines that declare a field or variable is noted with what it belongs to, in some languages with its constructor. */
  #declaredWith(node: NodeHandle, steps: number): DataAccess | undefined {
    const { graph } = this;
    const owner = graph.parentOf(node) ?? graph.fileNodeOf(node);
    if (owner === undefined) return undefined;
    const { endLine, startLine } = graph.node(node);
    const children = graph.childrenOf(owner);
    const others = children.filter(other => other !== node && graph.kindOf(other) === graph.kindOf(node)).map(other => graph.node(other).startLine);
    // Two on one line cannot be told apart.
    if (others.includes(startLine)) return undefined;
    const isDeclared = (line: number): boolean => line >= startLine && line <= endLine;
    const owners = [owner, ...children.filter(other => graph.kindOf(other) === 'constructor')];
    for (const each of owners) {
      const found = this.#along(each, MADE_OF, steps, isDeclared);
      if (found !== undefined) return found;
    }
    return undefined;
  }

  #along(node: NodeHandle, relations: Uint8Array, steps: number, isMeant?: (line: number) => boolean): DataAccess | undefined {
    const { graph } = this;
    for (const { confidence, lines, target } of graph.out(node, undefined, relations)) {
      if (confidence < FACT_CONFIDENCE || (isMeant !== undefined && !lines.some(isMeant))) continue;
      const found = graph.kindOf(target) === 'external' ? this.#external(target, node) : this.#behind(target, steps);
      if (found !== undefined) return found;
    }
    return undefined;
  }

  #marks(node: NodeHandle): DataAccess | undefined {
    const { graph } = this;
    for (const { source } of graph.in(node, undefined, MARKED)) {
      const found = graph.kindOf(source) === 'external' ? this.#external(source, node) : undefined;
      if (found?.isMark === true) return found;
    }
    return undefined;
  }

  /** A bare name as the declaration of its user qualifies it: `Base` of `class User < ActiveRecord::Base`. */
  #qualified(name: string, user: NodeHandle): string {
    const words = isBare(name) ? this.graph.signatureOf(user).match(/[\w\\:.]+/g) : null;
    return words?.find(word => /(?:::|\\|\.)\w+$/.test(word) && word.endsWith(name) && !/\w/.test(word.at(-name.length - 1) ?? '')) ?? name;
  }

  /** `user` is in the file whose imports tell what a bare name means. */
  #external(node: NodeHandle, user: NodeHandle): DataAccess | undefined {
    const { graph } = this;
    return dataAccessOf(
      this.#qualified(graph.idOf(node).slice(EXTERNAL.length), user),
      (packageName, isOfProject) =>
        (isOfProject && graph.find(externalId(packageName)) !== undefined) || this.#importsOf(user).some(name => `${name}/`.startsWith(`${packageName}/`)),
    );
  }

  /** What a library makes at the top of a file, by the words that declare it and the packages that the file imports. */
  #spelled(node: NodeHandle): DataAccess | undefined {
    return dataAccessSpelled(this.graph.signatureOf(node), this.#importsOf(node));
  }

  /** Packages that the file of a node imports. */
  #importsOf(node: NodeHandle): string[] {
    const { graph } = this;
    const file = graph.fileNodeOf(node);
    const imports = file === undefined ? [] : graph.out(file, undefined, IMPORTS);
    return imports.flatMap(({ target }) => (graph.kindOf(target) === 'external' ? [graph.idOf(target).slice(EXTERNAL.length)] : []));
  }
}

function isBare(name: string): boolean {
  return /^\w+$/.test(name);
}

function withoutRecords(access: DataAccess | undefined): DataAccess | undefined {
  return access?.isOfRecords === true ? undefined : access;
}
