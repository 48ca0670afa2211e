/** What a digest keeps of a Ruby file. A block is the last argument of its call; the last value of a method is its result. */
import type { DigestFunction, DigestParameter, Step, Term } from '../../../../model/digest';
import { NO_NODE } from '../../../parse/syntaxReader';
import type { SyntaxNode } from '../../../parse/syntaxTable';
import { binaryTerm, first } from '../../digest/commonRules';
import { any, type Digester, type DigestRules, expressionStep, join, literal } from '../../digest/digester';

const SIGN =
  /\b(?:[sS]inatra|GraphQL|(?:Query|Mutation|Subscription)(?:Type)?\s*<\s*|Rails\.application|routes\.draw|Grape|grape|Roda|HTTParty|Faraday|Net::HTTP|RestClient|Typhoeus|HTTP\.(?:get|post|put|patch|delete)|Excon|Bunny|Sneakers|Karafka|Kafka|ruby-kafka|Redis|GRPC|Mongo|PG\.connect|Rackup|URLMap|ActionController|ActiveResource)\b|^\s*run\s+\w|\bENV\[|\bENV\.fetch/m;

const items = (d: Digester, node: SyntaxNode): Term => ({ kind: 'list', items: d.named(node).map(child => d.term(child)) });
const name = (d: Digester, node: SyntaxNode): Term => ({ kind: 'name', name: d.text(node), position: d.at(node) });
const self = { kind: 'name', name: 'self', position: 0 } as const;

export const RUBY_DIGEST: DigestRules = {
  sign: SIGN,
  tests:
    /\bRSpec\.describe\b|^\s*require ['"](?:minitest\/autorun|spec_helper|rails_helper|test_helper|rack\/test)['"]|<\s*(?:Minitest::Test|ActiveSupport::TestCase|ActionDispatch::IntegrationTest)\b/m,
  terms: {
    string: textTerm,
    bare_string: textTerm,
    bare_symbol: textTerm,
    chained_string: (d, node) => join(d.named(node).map(child => d.term(child))),
    simple_symbol: (d, node) => literal(d.text(node).slice(1)),
    delimited_symbol: textTerm,
    hash_key_symbol: (d, node) => literal(d.text(node)),
    identifier: name,
    constant: name,
    self: name,
    instance_variable: (d, node) => ({ kind: 'member', owner: self, name: d.text(node), position: d.at(node) }),
    class_variable: (d, node) => ({ kind: 'member', owner: self, name: d.text(node), position: d.at(node) }),
    scope_resolution: (d, node) => {
      const own = d.field(node, 'name');
      const scope = d.field(node, 'scope');
      return scope === NO_NODE ? name(d, own) : { kind: 'member', owner: d.term(scope), name: d.text(own), position: d.at(own) };
    },
    call: callTerm,
    element_reference: (d, node) => {
      const [object = NO_NODE, key = NO_NODE] = d.named(node);
      const of = d.term(object);
      const at = d.term(key);
      return at !== 0 && at.kind === 'text' ? { kind: 'member', owner: of, name: at.text, position: d.at(key) } : of;
    },
    array: items,
    string_array: items,
    symbol_array: items,
    hash: (d, node) => ({ kind: 'object', entries: d.named(node).map(child => pair(d, child)) }),
    parenthesized_statements: (d, node) => d.term(d.named(node).at(-1) ?? NO_NODE),
    lambda: (d, node) => ({
      kind: 'function',
      fn: { name: '', position: d.at(node), parameters: parameters(d, d.field(node, 'parameters')), body: blockBody(d, d.field(node, 'body')) },
    }),
    conditional: (d, node) => any([d.term(d.field(node, 'consequence')), d.term(d.field(node, 'alternative'))]),
    assignment: (d, node) => d.term(d.field(node, 'right')),
    operator_assignment: (d, node) => d.term(d.field(node, 'right')),
    binary: binaryTerm('+', '||', 'or'),
  },
  steps: {
    class: classStep,
    module: classStep,
    method: functionStep,
    singleton_method: functionStep,
    assignment: assignmentStep,
    operator_assignment: assignmentStep,
    return: (d, node, steps) => {
      const value = first(d, d.named(node)[0] ?? NO_NODE);
      if (value !== 0) steps.push({ kind: 'return', value });
    },
  },
};

function textTerm(d: Digester, node: SyntaxNode): Term {
  const parts = d.named(node).flatMap((child): Term[] => {
    const kind = d.kind(child);
    if (kind === 'string_content') return [literal(d.text(child))];
    if (kind === 'escape_sequence') return [literal(d.text(child).slice(1))];
    return kind === 'interpolation' ? [first(d, child) || { kind: 'name', name: '*', position: 0 }] : [];
  });
  return parts.length === 0 ? literal('') : join(parts);
}

function callTerm(d: Digester, node: SyntaxNode): Term {
  const method = d.field(node, 'method');
  const receiver = d.field(node, 'receiver');
  const block = d.field(node, 'block');
  const position = d.at(method === NO_NODE ? node : method);
  const v = d.text(method);
  const args = d.named(d.field(node, 'arguments')).map(child => argument(d, child));
  if (block !== NO_NODE) {
    args.push({
      kind: 'function',
      fn: { name: '', position: d.at(block), parameters: parameters(d, d.field(block, 'parameters')), body: blockBody(d, d.field(block, 'body')) },
    });
  }
  if (v === 'URI' && receiver === NO_NODE) return args[0] ?? 0;
  if (receiver === NO_NODE) return { kind: 'call', callee: { kind: 'name', name: v, position }, args, position };
  if (d.text(receiver) === 'URI') return v === 'join' ? join(args) : (args[0] ?? 0);
  const of = receiverTerm(d, receiver);
  // Conversions give back what they are called on.
  if (args.length === 0 && /^(?:to_s|to_str|freeze|strip|chomp|to_sym|dup|itself)$/.test(v)) return of;
  if (/^(?:lambda|proc)$/.test(v)) return args.at(-1) ?? 0;
  return { kind: 'call', callee: { kind: 'member', owner: of, name: v, position }, args, position };
}

/** A bare name is a variable, or a method that is called without arguments. */
function receiverTerm(d: Digester, node: SyntaxNode): Term {
  const term = d.term(node);
  return d.kind(node) === 'identifier' ? any([term, { kind: 'call', callee: term, args: [], position: d.at(node) }]) : term;
}

/** `key: value`, `'path' => value` */
function argument(d: Digester, node: SyntaxNode): Term {
  if (d.kind(node) !== 'pair') return d.kind(node) === 'block_argument' ? first(d, node) : d.term(node);
  const key = d.field(node, 'key');
  const of = d.term(d.field(node, 'value'));
  const word = d.term(key);
  if (d.kind(key) === 'hash_key_symbol' || d.kind(key) === 'simple_symbol')
    return { kind: 'named', name: word !== 0 && word.kind === 'text' ? word.text : '', value: of };
  return { kind: 'object', entries: [[word !== 0 && word.kind === 'text' ? word.text : '', of]] };
}

function pair(d: Digester, node: SyntaxNode): readonly [string, Term] {
  if (d.kind(node) !== 'pair') return ['', first(d, node)];
  const key = d.term(d.field(node, 'key'));
  return [key !== 0 && key.kind === 'text' ? key.text : '', d.term(d.field(node, 'value'))];
}

function blockBody(d: Digester, body: SyntaxNode): Step[] {
  return withResult(d, d.kind(body) === 'block' || d.kind(body) === 'do_block' ? d.named(d.field(body, 'body')) : d.named(body));
}

/** Steps of statements; the last value is the result. */
function withResult(d: Digester, nodes: readonly SyntaxNode[]): Step[] {
  const steps: Step[] = [];
  const result = nodes.at(-1);
  for (const child of nodes) d.step(child, steps);
  const final = steps.at(-1);
  if (final?.kind === 'do') steps[steps.length - 1] = { kind: 'return', value: final.value };
  else if (final?.kind === 'set' || final?.kind === 'let') {
    const value = final.kind === 'set' ? final.value : (final.value ?? 0);
    if (value !== 0) steps.push({ kind: 'return', value });
  } else if (final?.kind !== 'return' && result !== undefined) {
    const x = d.term(result);
    if (x !== 0 && x.kind !== 'other' && final === undefined) steps.push({ kind: 'return', value: x });
  }
  return steps;
}

function functionStep(d: Digester, node: SyntaxNode, steps: Step[]): void {
  const nameNode = d.field(node, 'name');
  const body = d.field(node, 'body');
  const v = d.text(nameNode);
  const isConstructor = v === 'initialize';
  const nodes = d.kind(body) === 'body_statement' ? d.named(body) : [body];
  const fn: DigestFunction = {
    name: isConstructor ? 'constructor' : v,
    position: d.at(nameNode),
    parameters: parameters(d, d.field(node, 'parameters')),
    body: d.bodyOf(body, () => withResult(d, nodes), isConstructor),
  };
  steps.push({ kind: 'fn', fn });
}

function classStep(d: Digester, node: SyntaxNode, steps: Step[]): void {
  const nameNode = d.field(node, 'name');
  const base = first(d, d.field(node, 'superclass'));
  const own = d.kind(nameNode) === 'scope_resolution' ? d.field(nameNode, 'name') : nameNode;
  const isModule = d.kind(node) === 'module';
  const body = d.body(d.field(node, 'body'));
  // What a module holds is reached under its last name too.
  if (isModule) steps.push(...body.filter(step => step.kind === 'class'));
  steps.push({
    kind: 'class',
    cls: { name: d.text(own), position: d.at(own), bases: base === 0 ? [] : [base], body: isModule ? body.filter(step => step.kind !== 'class') : body },
  });
}

function assignmentStep(d: Digester, node: SyntaxNode, steps: Step[]): void {
  const to = d.term(d.field(node, 'left'));
  const value = d.term(d.field(node, 'right'));
  if (to === 0 || value === 0) {
    if (value !== 0) expressionStep(d, d.field(node, 'right'), steps);
    return;
  }
  steps.push(to.kind === 'name' ? { kind: 'let', name: to.name, position: to.position, value } : { kind: 'set', target: to, value });
}

function parameters(d: Digester, node: SyntaxNode): DigestParameter[] {
  return d.named(node).map(child => {
    const nameNode = d.kind(child) === 'identifier' ? child : d.field(child, 'name');
    const value = d.term(d.field(child, 'value'));
    return { name: d.text(nameNode), ...(value === 0 ? {} : { initial: value }) };
  });
}
