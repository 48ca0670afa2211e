import type { GraphView, NodeHandle } from '../../code/graph/graphView';
import { FACT_CONFIDENCE } from '../../model/evidence';
import { traitsOf } from '../../model/languages';
import { CALLABLES, CLASSES, matchOf, type Pattern, type PatternContext, type PatternMatch, symbolsOf, targetsOf, worstFirst } from './pattern';

/** Well-known shapes, told by structure. They are no faults: severity info. */
export const SHAPES: readonly Pattern[] = [
  {
    id: 'factory',
    title: 'Factories: functions that create objects',
    severity: 'info',
    fix: 'No fix needed. Create new objects of these classes here.',
    words: /\bfactor(?:y|ies)\b/,
    find: factories,
  },
  {
    id: 'singleton',
    title: 'Singletons: classes with one shared instance',
    severity: 'info',
    fix: 'No fix needed. If tests need another instance, pass it in as a parameter.',
    words: /\bsingletons?\b/,
    find: singletons,
  },
  {
    id: 'repository',
    title: 'Repositories: classes that store and find objects',
    severity: 'info',
    fix: 'No fix needed. Access stored objects through these classes.',
    words: /\brepositor(?:y|ies)\b(?= pattern|$)/,
    find: repositories,
  },
  {
    id: 'observer',
    title: 'Observers: classes that notify subscribers',
    severity: 'info',
    fix: 'No fix needed. Make sure that every subscriber unsubscribes.',
    words: /\bobservers?\b/,
    find: observers,
  },
  {
    id: 'strategy',
    title: 'Strategies: interfaces with interchangeable implementations',
    severity: 'info',
    fix: 'No fix needed. Add a variant as a new implementation.',
    words: /\bstrateg(?:y|ies)\b/,
    find: strategies,
  },
];

const MAKES = /^_?(?:create|make|build|new|construct|spawn)(?=[A-Z_]|$)/;

function factories({ graph }: PatternContext): PatternMatch[] {
  const rows = symbolsOf(graph, CALLABLES).flatMap(node => {
    const { name, kind } = graph.node(node);
    const parent = graph.parentOf(node);
    const isIn = parent !== undefined && graph.node(parent).name.endsWith('Factory');
    if (kind === 'constructor' || !(isIn || MAKES.test(name))) return [];
    const made = [...new Set(targetsOf(graph, node, 'INSTANTIATES'))].filter(target => target !== parent && graph.kindOf(target) !== 'external');
    return made.length === 0 ? [] : [{ node, made, weight: made.length }];
  });
  return worstFirst(rows).map(({ node, made }) => matchOf(graph, node, `creates ${made.map(each => graph.node(each).name).join(', ')}`));
}

const INSTANCE = /^_*(?:get_?)?(?:shared_?)?instance$|^_*shared$|^_*default_?instance$/i;

function singletons({ graph }: PatternContext): PatternMatch[] {
  return symbolsOf(graph, CLASSES).flatMap(node => {
    const members = graph.childrenOf(node).map(member => graph.node(member));
    const holder = members.find(
      member =>
        INSTANCE.test(member.name) &&
        (member.modifiers.includes('static') || member.modifiers.includes('classMethod') || traitsOf(member.language).classBodyIsStatic === true),
    );
    const makers = members.filter(
      member =>
        member.kind === 'method' &&
        (member.modifiers.includes('static') || member.modifiers.includes('classMethod') || member.name === '__new__') &&
        targetsOf(graph, member.handle, 'INSTANTIATES').includes(node),
    );
    const hidden = members.some(
      member => (member.kind === 'constructor' || member.name === '__new__') && (member.modifiers.includes('private') || member.name === '__new__'),
    );
    const telling = [holder?.name, hidden ? 'hidden constructor' : undefined, makers[0]?.name].filter(word => word !== undefined);
    return holder !== undefined && (hidden || makers.length > 0 || members.some(member => member !== holder && INSTANCE.test(member.name)))
      ? [matchOf(graph, node, [...new Set(telling)].join(', '))]
      : hidden && makers.length > 0
        ? [matchOf(graph, node, telling.join(', '))]
        : [];
  });
}

const VERBS: readonly (readonly [string, RegExp])[] = [
  ['find', /^_?(?:find|get|fetch|load|read|list|all|query|select)/i],
  ['save', /^_?(?:save|add|insert|create|put|store|persist|append|write)/i],
  ['update', /^_?(?:update|replace|patch|merge|rename|set)/i],
  ['delete', /^_?(?:delete|remove|destroy|drop|clear)/i],
];
const REPOSITORY = /(?:Repository|Repo|Store|Dao|DAO|Gateway|Mapper)$/;

function repositories({ graph }: PatternContext): PatternMatch[] {
  const rows = symbolsOf(graph, new Set([...CLASSES, 'interface'])).flatMap(node => {
    const names = methodsOf(graph, node);
    const verbs = VERBS.filter(([, pattern]) => names.some(name => pattern.test(name))).map(([verb]) => verb);
    const isCalledSo = REPOSITORY.test(graph.node(node).name);
    // A class with the methods of HTTP routes keeps nothing.
    const isRouter = names.includes('get') && (names.includes('put') || names.includes('post'));
    return verbs.length >= (isCalledSo ? 2 : VERBS.length) && (isCalledSo || !isRouter) ? [{ node, verbs, weight: verbs.length + (isCalledSo ? 1 : 0) }] : [];
  });
  return worstFirst(rows).map(({ node, verbs }) => matchOf(graph, node, `methods to ${verbs.join(', ')}`));
}

const SUBSCRIBES =
  /^_?(?:subscribe|on|once|addListener|addEventListener|addObserver|add_observer|attach|observe|register_observer|connect|watch|add_listener)$/i;
const NOTIFIES = /^_?(?:notify|notifyAll|notify_all|notifyObservers|notify_observers|emit|publish|dispatch|dispatchEvent)$/i;

function observers({ graph }: PatternContext): PatternMatch[] {
  return symbolsOf(graph, new Set([...CLASSES, 'interface'])).flatMap(node => {
    const names = methodsOf(graph, node);
    const [subscribe, notify] = [names.find(name => SUBSCRIBES.test(name)), names.find(name => NOTIFIES.test(name))];
    return subscribe === undefined || notify === undefined ? [] : [matchOf(graph, node, `${subscribe} and ${notify}`)];
  });
}

function methodsOf(graph: GraphView, node: NodeHandle): string[] {
  return graph.childrenOf(node).flatMap(member => {
    const { kind, name } = graph.node(member);
    return kind === 'method' || kind === 'property' || kind === 'field' ? [name] : [];
  });
}

const MIN_VARIANTS = 2;

function strategies({ graph }: PatternContext): PatternMatch[] {
  const rows = symbolsOf(graph, new Set(['class', 'interface', 'trait'])).flatMap(node => {
    const { kind, modifiers } = graph.node(node);
    if (kind === 'class' && !modifiers.includes('abstract')) return [];
    if (methodsOf(graph, node).length === 0) return [];
    const edges = graph.in(node).filter(edge => edge.confidence >= FACT_CONFIDENCE && !graph.isTest(edge.source));
    const variants = new Set(edges.flatMap(edge => (edge.relation === 'IMPLEMENTS' || edge.relation === 'INHERITS' ? [edge.source] : [])));
    const isVariant = (user: NodeHandle): boolean => {
      for (let at: NodeHandle | undefined = user; at !== undefined; at = graph.parentOf(at)) if (variants.has(at)) return true;
      return false;
    };
    const users = new Set(edges.flatMap(edge => (edge.relation === 'USES_TYPE' && !isVariant(edge.source) ? [edge.source] : [])));
    return variants.size >= MIN_VARIANTS && users.size > 0 ? [{ node, variants, users, weight: variants.size }] : [];
  });
  return worstFirst(rows).map(({ node, users, variants }) => {
    const names = [...variants].map(each => graph.node(each).name).sort();
    return matchOf(
      graph,
      node,
      `${names.length} variants: ${names.slice(0, SHOWN).join(', ')}${names.length > SHOWN ? '…' : ''}; ${users.size} ${users.size === 1 ? 'user' : 'users'}`,
    );
  });
}

const SHOWN = 6;
