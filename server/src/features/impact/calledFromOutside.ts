import { extname } from '../../base/path';
import type { GraphView, NodeHandle } from '../../code/graph/graphView';
import { shortNameOf } from '../../model/ids';
import { languageOfExtension, traitsOf } from '../../model/languages';
import { KIND_GROUPS } from '../../model/nodes';
import { anyLinks, countLinks, dependencyLinks } from '../shared/links';
import { holderOf, isPublic } from '../shared/members';

/** Nodes looked at, nearest first; that bounds what a hover costs. */
const MAX_LOOKED_AT = 300;
const MAX_NAMED = 5;

/** Of what changed and what depends on it, nearest first, those that something outside of the workspace calls; at most a few. */
export function calledFromOutside(graph: GraphView, nodes: Iterable<NodeHandle>): readonly NodeHandle[] {
  return firstOf(graph, nodes, isCalledFromOutside);
}

/**
 * Of what changed and what depends on it, nearest first, the public functions that only tests of the workspace use, at most a few: they are there for
 * code elsewhere. Where every name of a module can be imported, only those that another file hands on count.
 */
export function publicEntryPoints(graph: GraphView, nodes: Iterable<NodeHandle>): readonly NodeHandle[] {
  return firstOf(graph, nodes, isOffered);
}

function firstOf(graph: GraphView, nodes: Iterable<NodeHandle>, matches: (graph: GraphView, node: NodeHandle) => boolean): readonly NodeHandle[] {
  const found: NodeHandle[] = [];
  let left = MAX_LOOKED_AT;
  for (const node of nodes) {
    if (left-- <= 0 || found.length >= MAX_NAMED) break;
    if (!graph.isTest(node) && matches(graph, node)) found.push(node);
  }
  return found;
}

function isOffered(graph: GraphView, node: NodeHandle): boolean {
  const kind = graph.kindOf(node);
  if (!FUNCTIONS.has(kind) || kind === 'constructor' || !isPublic(graph, node)) return false;
  const { backward, live } = graph.adjacency;
  const isElsewhere = (other: NodeHandle): boolean => other !== node && !graph.isTest(other);
  if (countLinks(backward, live, node, USES, isElsewhere) > 0) return false;
  const file = graph.fileNodeOf(node);
  if (traitsOf(languageOfExtension(extname(graph.idOf(file ?? node)))).exportsAll !== true) return true;
  let top = node;
  for (let holder = holderOf(graph, top); holder !== undefined && holder !== file; holder = holderOf(graph, top)) top = holder;
  return countLinks(backward, live, top, NAMERS, other => other !== file && !graph.isTest(other)) > 0;
}

const USES = dependencyLinks('facts');
const NAMERS = anyLinks(['NAMES', 'RE_EXPORTS']);
const FUNCTIONS: ReadonlySet<string> = new Set(KIND_GROUPS.FUNCTION);
const CLASSES: ReadonlySet<string> = new Set(KIND_GROUPS.CLASS);
const BASES = anyLinks(['INHERITS', 'IMPLEMENTS']);
const DECORATORS = anyLinks(['DECORATES']);
const CALLS = dependencyLinks('facts', ['CALLS']);
const READS = dependencyLinks('facts', ['READS_FROM']);

/** Decorators and annotations that hand a function or class to somebody who calls it. */
const REGISTERS =
  /^(?:route|get|post|put|delete|patch|head|options|all|websocket|command|group|task|shared_task|job|listener|receiver|handler|errorhandler|exception_handler|middleware|on|on_event|event|hook|hookimpl|subscribe|before_request|after_request|teardown_request|teardown_appcontext|before_app_request|context_processor|template_filter|template_global|template_test|cli|callback|fixture|validator|field_validator|model_validator|register|api_view|action|resolver|query|mutation|\w*Mapping|\w*Listener|Bean|Scheduled|Controller|RestController|Component|Service|Injectable|Get|Post|Put|Delete|Patch|Query|Mutation|Resolver|Subscribe\w*|MessagePattern|EventPattern|Cron|HttpGet|HttpPost|HttpPut|HttpDelete|Provides|PostConstruct|PreDestroy)$/;

function isCalledFromOutside(graph: GraphView, node: NodeHandle): boolean {
  const kind = graph.kindOf(node);
  const isFunction = FUNCTIONS.has(kind);
  if (!isFunction && !CLASSES.has(kind)) return false;
  const { backward, forward, live } = graph.adjacency;
  if (countLinks(forward, live, node, DECORATORS, other => REGISTERS.test(lastName(graph.idOf(other)))) > 0) return true;
  if (!isFunction) return false;
  const name = shortNameOf(graph.idOf(node));
  const parent = graph.parentOf(node);
  const owner = parent !== undefined && CLASSES.has(graph.kindOf(parent)) ? parent : undefined;
  const { beginsAtMain, calledByRuntime } = traitsOf(languageOfExtension(extname(graph.idOf(graph.fileNodeOf(node) ?? node))));
  if (calledByRuntime !== undefined && (owner !== undefined || kind === 'method') && calledByRuntime.test(name)) return true;
  if (name === 'main' && beginsAtMain === true) return true;
  if (countLinks(backward, live, node, CALLS) > 0) return false;
  // A type that extends or implements one of a library: that may call what overrides its methods.
  if (owner !== undefined) return kind === 'method' && countLinks(forward, live, owner, BASES, other => graph.kindOf(other) === 'external') > 0;
  // A function that is only named is handed to somebody, who calls it.
  return countLinks(backward, live, node, READS, other => !graph.isTest(other)) > 0;
}

function lastName(name: string): string {
  return /[\w$]+$/.exec(name)?.[0] ?? name;
}
