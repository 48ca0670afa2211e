/** What a digest keeps of a Kotlin file. */
import type { DigestFunction, DigestParameter, Step, Term } from '../../../../model/digest';
import { NO_NODE } from '../../../parse/syntaxReader';
import { type SyntaxNode, syntaxNode } from '../../../parse/syntaxTable';
import { first } from '../../digest/commonRules';
import { any, type Digester, type DigestRules, dotted, expressionStep, inside, join, literal } from '../../digest/digester';

const SIGN =
  /\b(?:springframework|io\.ktor|org\.http4k|javax\.ws|jakarta\.ws|retrofit2|okhttp3?|feign|kafka|rabbit|amqp|jms|micronaut|quarkus|grpc|java\.net\.http|HttpURLConnection|HttpClient|io\.javalin|jedis|aws|google\.cloud|azure)\b|\bconst\s+val\b|System\.getenv/;

const last = (d: Digester, node: SyntaxNode): Term => d.term(d.named(node).at(-1) ?? NO_NODE);
const items = (d: Digester, node: SyntaxNode): Term => ({ k: 'l', of: d.named(node).map(child => d.term(child)) });
const name = (d: Digester, node: SyntaxNode): Term => ({ k: 'n', v: plainName(d.text(node)), p: d.at(node) });

export const KOTLIN_DIGEST: DigestRules = {
  sign: SIGN,
  tests: /\bimport (?:org\.junit|kotlin\.test|io\.kotest|io\.mockk|org\.mockito|io\.ktor\.server\.testing)\b/,
  package: d => d.text(d.child(d.child(syntaxNode(0), 'package_header'), 'qualified_identifier')),
  terms: {
    string_literal: textTerm,
    multiline_string_literal: textTerm,
    identifier: name,
    this_expression: (d, node) => ({ k: 'n', v: 'this', p: d.at(node) }),
    qualified_identifier: (d, node) => dotted(d, node, '.'),
    user_type: typeTerm,
    nullable_type: first,
    type_projection: last,
    navigation_expression: (d, node) => {
      const [object = NO_NODE, member = NO_NODE] = d.named(node);
      return { k: 'm', of: d.term(object), v: plainName(d.text(member)), p: d.at(member) };
    },
    callable_reference: (d, node) => {
      const parts = d.named(node);
      const member = parts.at(-1) ?? NO_NODE;
      return parts.length < 2 ? name(d, member) : { k: 'm', of: d.term(parts[0] ?? NO_NODE), v: d.text(member), p: d.at(member) };
    },
    call_expression: callTerm,
    infix_expression: (d, node) => {
      const [left = NO_NODE, word = NO_NODE, right = NO_NODE] = d.named(node);
      return { k: 'call', f: { k: 'm', of: d.term(left), v: d.text(word), p: d.at(word) }, a: [d.term(right)], p: d.at(word) };
    },
    lambda_literal: lambda,
    annotated_lambda: first,
    anonymous_function: lambda,
    parenthesized_expression: first,
    unary_expression: first,
    as_expression: first,
    collection_literal: items,
    binary_expression: (d, node) => {
      const [left, right] = [d.field(node, 'left'), d.field(node, 'right')];
      const operator = d.text(d.field(node, 'operator'));
      if (operator === '+') return join([d.term(left), d.term(right)]);
      if (operator === '?:') return any([d.term(left), d.term(right)]);
      return operator === '>' && d.kind(right) === 'lambda_literal' && d.kind(left) === 'binary_expression' ? typedCall(d, left, right) : inside(d, node);
    },
    annotation: annotationTerm,
  },
  steps: {
    package_header: () => undefined,
    import: (d, node, steps) => {
      const [path = NO_NODE, alias = NO_NODE] = d.named(node);
      const full = d.text(path);
      if (d.text(node).trimEnd().endsWith('.*')) steps.push({ s: 'import', from: full, name: '*', as: '', p: d.at(path) });
      else {
        const own = full.slice(full.lastIndexOf('.') + 1);
        const as = alias === NO_NODE ? own : d.text(alias);
        steps.push({ s: 'import', from: full.slice(0, Math.max(0, full.lastIndexOf('.'))), name: own, as, p: d.at(path) });
      }
    },
    class_declaration: classStep,
    object_declaration: classStep,
    companion_object: (d, node, steps) => {
      steps.push(...d.body(d.child(node, 'class_body')));
    },
    function_declaration: functionStep,
    property_declaration: (d, node, steps) => {
      const variable = d.child(node, 'variable_declaration');
      const nameNode = d.named(variable)[0] ?? NO_NODE;
      const t = d.term(d.named(variable)[1] ?? NO_NODE);
      const value = d.named(node).findLast(child => child !== variable && !/^(?:modifiers|type_\w+|user_type|setter)$/.test(d.kind(child))) ?? NO_NODE;
      const x = valueOf(d, value);
      steps.push({
        s: 'let',
        v: plainName(d.text(nameNode)),
        p: d.at(nameNode),
        ...(t === 0 ? {} : { t }),
        ...(x === 0 ? {} : { x }),
        ...annotations(d, node),
      });
    },
    assignment: (d, node, steps) => {
      const [left = NO_NODE, right = NO_NODE] = d.named(node);
      const to = d.term(left);
      const x = d.term(right);
      if (to !== 0 && x !== 0)
        steps.push(to.k === 'n' ? { s: 'set', to: { k: 'm', of: { k: 'n', v: 'this', p: 0 }, v: to.v, p: to.p }, x } : { s: 'set', to, x });
    },
    return_expression: (d, node, steps) => {
      const x = last(d, node);
      if (x !== 0) steps.push({ s: 'return', x });
    },
  },
};

function plainName(text: string): string {
  return text.replaceAll('`', '');
}

/** Value of a property: as it is, of its getter, of `by lazy { … }`. */
function valueOf(d: Digester, node: SyntaxNode): Term {
  const kind = d.kind(node);
  if (kind === 'getter') return last(d, d.child(node, 'function_body'));
  if (kind !== 'property_delegate') return d.term(node);
  const call = first(d, node);
  const made = call !== 0 && call.k === 'call' && call.f !== 0 && call.f.k === 'n' && call.f.v === 'lazy' ? call.a.at(-1) : undefined;
  return made === undefined ? call : { k: 'call', f: made, a: [], p: d.at(node) };
}

/** A dollar alone in front of a name is a value that the grammar reads as text. */
function textTerm(d: Digester, node: SyntaxNode): Term {
  const parts: Term[] = [];
  let isValue = false;
  for (const child of d.named(node)) {
    const text = d.text(child);
    const kind = d.kind(child);
    if (kind === 'interpolation') parts.push(first(d, child) || { k: 'n', v: '*', p: 0 });
    else if (kind === 'escape_sequence') parts.push(literal(text.replace(/^\\/, '')));
    else if (text === '$') isValue = true;
    else {
      const word = isValue ? (/^\w+/.exec(text)?.[0] ?? '') : '';
      if (word !== '') parts.push({ k: 'n', v: word, p: d.at(child) });
      parts.push(literal(text.slice(word.length)));
      isValue = false;
    }
  }
  return parts.length === 0 ? literal('') : join(parts.filter(part => part === 0 || part.k !== 's' || part.v !== ''));
}

function typeTerm(d: Digester, node: SyntaxNode): Term {
  const names = d.named(node).filter(child => d.kind(child) === 'identifier');
  const [head = NO_NODE, ...rest] = names;
  const of = rest.reduce<Term>((term, child) => ({ k: 'm', of: term, v: d.text(child), p: d.at(child) }), name(d, head));
  const given = d.child(node, 'type_arguments');
  return given === NO_NODE ? of : { k: '<', of, a: d.named(given).map(child => d.term(child)) };
}

/** A lambda behind a call is its last argument. */
function callTerm(d: Digester, node: SyntaxNode): Term {
  const [callee = NO_NODE, ...rest] = d.named(node);
  const a = rest.flatMap((child): Term[] => {
    const kind = d.kind(child);
    if (kind === 'value_arguments') return argumentsOf(d, child);
    return kind === 'annotated_lambda' || kind === 'lambda_literal' ? [d.term(child)] : [];
  });
  const types = d.child(node, 'type_arguments');
  const isCallWithLambda = d.kind(callee) === 'call_expression' && rest.every(child => d.kind(child) === 'annotated_lambda');
  if (isCallWithLambda) {
    const inner = d.term(callee);
    if (inner !== 0 && inner.k === 'call') return { ...inner, a: [...inner.a, ...a] };
  }
  const f = d.term(callee);
  const called: Term = types === NO_NODE ? f : { k: '<', of: f, a: d.named(types).map(child => d.term(child)) };
  const at = d.kind(callee) === 'navigation_expression' ? (d.named(callee)[1] ?? callee) : callee;
  return { k: 'call', f: called, a, p: d.at(at) };
}

/** `get<Orders> { … }`, which the grammar reads as two comparisons. */
function typedCall(d: Digester, comparison: SyntaxNode, block: SyntaxNode): Term {
  const callee = d.field(comparison, 'left');
  return { k: 'call', f: { k: '<', of: d.term(callee), a: [d.term(d.field(comparison, 'right'))] }, a: [d.term(block)], p: d.at(callee) };
}

function argumentsOf(d: Digester, node: SyntaxNode): Term[] {
  return d.named(node).map(child => {
    const parts = d.named(child);
    const value = d.term(parts.at(-1) ?? NO_NODE);
    const isNamed = parts.length > 1 && d.kind(parts[0] ?? NO_NODE) === 'identifier';
    return isNamed ? { k: '=', v: d.text(parts[0] ?? NO_NODE), of: value } : value;
  });
}

function lambda(d: Digester, node: SyntaxNode): Term {
  const ps = d
    .named(d.child(node, 'lambda_parameters'))
    .map(child => ({ v: d.text(d.kind(child) === 'variable_declaration' ? (d.named(child)[0] ?? child) : child) }));
  const children = d.named(node).filter(child => d.kind(child) !== 'lambda_parameters');
  return { k: 'f', fn: { v: '', p: d.at(node), ps, b: withResult(d, children) } };
}

/** Steps of statements; the last one is the result. */
function withResult(d: Digester, nodes: readonly SyntaxNode[]): Step[] {
  const steps: Step[] = [];
  for (const [index, child] of nodes.entries()) {
    const before = steps.length;
    d.step(child, steps);
    const [only] = steps.slice(before);
    if (index === nodes.length - 1 && only?.s === 'do' && steps.length === before + 1) steps[before] = { s: 'return', x: only.x };
  }
  return steps;
}

function annotationTerm(d: Digester, node: SyntaxNode): Term {
  const child = d.child(node, 'constructor_invocation', 'user_type');
  const type = d.kind(child) === 'user_type' ? child : d.child(child, 'user_type');
  return { k: 'call', f: typeTerm(d, type), a: argumentsOf(d, d.child(child, 'value_arguments')), p: d.at(type) };
}

function annotations(d: Digester, node: SyntaxNode): { readonly d?: readonly Term[] } {
  const found = d
    .named(d.child(node, 'modifiers', 'parameter_modifiers'))
    .filter(child => d.kind(child) === 'annotation')
    .map(child => annotationTerm(d, child));
  return found.length === 0 ? {} : { d: found };
}

function classStep(d: Digester, node: SyntaxNode, steps: Step[]): void {
  const nameNode = d.field(node, 'name') === NO_NODE ? d.child(node, 'identifier') : d.field(node, 'name');
  const bases = d.named(d.child(node, 'delegation_specifiers')).map(child => {
    const inner = d.named(child)[0] ?? NO_NODE;
    return d.term(d.kind(inner) === 'user_type' ? inner : d.child(inner, 'user_type'));
  });
  const b: Step[] = [];
  const parameters = d.child(d.child(node, 'primary_constructor'), 'class_parameters');
  for (const parameter of d.named(parameters)) {
    const own = d.child(parameter, 'identifier');
    const t = d.term(d.child(parameter, 'user_type', 'nullable_type'));
    b.push({ s: 'let', v: d.text(own), p: d.at(own), ...(t === 0 ? {} : { t }), ...annotations(d, parameter) });
  }
  b.push(...d.body(d.child(node, 'class_body', 'enum_class_body')));
  const isInterface = d.kind(node) === 'class_declaration' && /^(?:[\w\s@]|\([^)]*\))*?\binterface\s+\w/.test(d.text(node).slice(0, 2_000));
  const c = {
    v: d.text(nameNode),
    p: d.at(nameNode),
    bases: bases.filter(base => base !== 0),
    ...annotations(d, node),
    b,
    ...(isInterface ? { i: 1 as const } : {}),
  };
  steps.push({ s: 'class', c });
}

function functionStep(d: Digester, node: SyntaxNode, steps: Step[]): void {
  const nameNode = d.field(node, 'name');
  const params = d.child(node, 'function_value_parameters');
  const types = d.named(node).filter(child => /^(?:user_type|nullable_type)$/.test(d.kind(child)));
  const receiver = types.find(child => d.reader.start(child) < d.reader.start(nameNode));
  const result = types.find(child => d.reader.start(child) > d.reader.start(nameNode));
  const r = d.term(result ?? NO_NODE);
  const body = d.child(node, 'function_body');
  const block = d.child(body, 'block');
  const fn: DigestFunction = {
    v: plainName(d.text(nameNode)),
    p: d.at(nameNode),
    ps: parametersOf(d, params),
    ...annotations(d, node),
    ...(r === 0 ? {} : { r }),
    ...(receiver === undefined ? {} : { of: d.term(receiver), self: 'this' }),
    b: d.bodyOf(
      body,
      () => (block === NO_NODE ? withReturn(d, body) : d.body(block)),
      receiver !== undefined && /^(?:Route|Routing|Application)\b/.test(d.text(receiver)),
    ),
  };
  steps.push({ s: 'fn', fn });
}

function withReturn(d: Digester, body: SyntaxNode): Step[] {
  const value = d.named(body)[0] ?? NO_NODE;
  const x = d.term(value);
  if (x === 0) return [];
  return x.k === '?' ? stepsOf(d, value) : [{ s: 'return', x }];
}

function stepsOf(d: Digester, node: SyntaxNode): Step[] {
  const steps: Step[] = [];
  expressionStep(d, node, steps);
  return steps;
}

/** Modifiers of a parameter, with its annotations, stand in front of it. */
function parametersOf(d: Digester, node: SyntaxNode): DigestParameter[] {
  const found: DigestParameter[] = [];
  let before: { readonly d?: readonly Term[] } = {};
  for (const child of d.named(node)) {
    if (d.kind(child) === 'parameter_modifiers') {
      const decorators = d
        .named(child)
        .filter(each => d.kind(each) === 'annotation')
        .map(each => annotationTerm(d, each));
      before = decorators.length === 0 ? {} : { d: decorators };
    } else if (d.kind(child) === 'parameter') {
      const t = d.term(d.child(child, 'user_type', 'nullable_type'));
      found.push({ v: d.text(d.child(child, 'identifier')), ...(t === 0 ? {} : { t }), ...before });
      before = {};
    }
  }
  return found;
}
