/** What a digest keeps of a Kotlin file. */
import type { DigestFunction, DigestParameter, Step, Term } from '../../../../model/digest';
import { NO_NODE } from '../../../parse/syntaxReader';
import { type SyntaxNode, syntaxNode } from '../../../parse/syntaxTable';
import { first } from '../../digest/commonRules';
import { any, type Digester, type DigestRules, dotted, expressionStep, inside, join, literal } from '../../digest/digester';

const SIGN =
  /\b(?:graphql|springframework|io\.ktor|org\.http4k|javax\.ws|jakarta\.ws|retrofit2|okhttp3?|feign|kafka|rabbit|amqp|jms|micronaut|quarkus|grpc|java\.net\.http|HttpURLConnection|HttpClient|io\.javalin|jedis|aws|google\.cloud|azure)\b|\bconst\s+val\b|System\.getenv/;

const last = (d: Digester, node: SyntaxNode): Term => d.term(d.named(node).at(-1) ?? NO_NODE);
const items = (d: Digester, node: SyntaxNode): Term => ({ kind: 'list', items: d.named(node).map(child => d.term(child)) });
const name = (d: Digester, node: SyntaxNode): Term => ({ kind: 'name', name: plainName(d.text(node)), position: d.at(node) });

export const KOTLIN_DIGEST: DigestRules = {
  sign: SIGN,
  tests: /\bimport (?:org\.junit|kotlin\.test|io\.kotest|io\.mockk|org\.mockito|io\.ktor\.server\.testing)\b/,
  package: d => d.text(d.child(d.child(syntaxNode(0), 'package_header'), 'qualified_identifier')),
  terms: {
    string_literal: textTerm,
    multiline_string_literal: textTerm,
    identifier: name,
    this_expression: (d, node) => ({ kind: 'name', name: 'this', position: d.at(node) }),
    qualified_identifier: (d, node) => dotted(d, node, '.'),
    user_type: typeTerm,
    nullable_type: first,
    type_projection: last,
    navigation_expression: (d, node) => {
      const [object = NO_NODE, member = NO_NODE] = d.named(node);
      return { kind: 'member', owner: d.term(object), name: plainName(d.text(member)), position: d.at(member) };
    },
    callable_reference: (d, node) => {
      const parts = d.named(node);
      const member = parts.at(-1) ?? NO_NODE;
      return parts.length < 2 ? name(d, member) : { kind: 'member', owner: d.term(parts[0] ?? NO_NODE), name: d.text(member), position: d.at(member) };
    },
    call_expression: callTerm,
    infix_expression: (d, node) => {
      const [left = NO_NODE, word = NO_NODE, right = NO_NODE] = d.named(node);
      return {
        kind: 'call',
        callee: { kind: 'member', owner: d.term(left), name: d.text(word), position: d.at(word) },
        args: [d.term(right)],
        position: d.at(word),
      };
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
      if (d.text(node).trimEnd().endsWith('.*')) steps.push({ kind: 'import', from: full, name: '*', as: '', position: d.at(path) });
      else {
        const own = full.slice(full.lastIndexOf('.') + 1);
        const as = alias === NO_NODE ? own : d.text(alias);
        steps.push({ kind: 'import', from: full.slice(0, Math.max(0, full.lastIndexOf('.'))), name: own, as, position: d.at(path) });
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
      const type = d.term(d.named(variable)[1] ?? NO_NODE);
      const value = d.named(node).findLast(child => child !== variable && !/^(?:modifiers|type_\w+|user_type|setter)$/.test(d.kind(child))) ?? NO_NODE;
      const x = valueOf(d, value);
      steps.push({
        kind: 'let',
        name: plainName(d.text(nameNode)),
        position: d.at(nameNode),
        ...(type === 0 ? {} : { type }),
        ...(x === 0 ? {} : { value: x }),
        ...annotations(d, node),
      });
    },
    assignment: (d, node, steps) => {
      const [left = NO_NODE, right = NO_NODE] = d.named(node);
      const to = d.term(left);
      const value = d.term(right);
      if (to !== 0 && value !== 0)
        steps.push(
          to.kind === 'name'
            ? { kind: 'set', target: { kind: 'member', owner: { kind: 'name', name: 'this', position: 0 }, name: to.name, position: to.position }, value }
            : { kind: 'set', target: to, value },
        );
    },
    return_expression: (d, node, steps) => {
      const value = last(d, node);
      if (value !== 0) steps.push({ kind: 'return', value });
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
  const made =
    call !== 0 && call.kind === 'call' && call.callee !== 0 && call.callee.kind === 'name' && call.callee.name === 'lazy' ? call.args.at(-1) : undefined;
  return made === undefined ? call : { kind: 'call', callee: made, args: [], position: d.at(node) };
}

/** A dollar alone in front of a name is a value that the grammar reads as text. */
function textTerm(d: Digester, node: SyntaxNode): Term {
  const parts: Term[] = [];
  let isValue = false;
  for (const child of d.named(node)) {
    const text = d.text(child);
    const kind = d.kind(child);
    if (kind === 'interpolation') parts.push(first(d, child) || { kind: 'name', name: '*', position: 0 });
    else if (kind === 'escape_sequence') parts.push(literal(text.replace(/^\\/, '')));
    else if (text === '$') isValue = true;
    else {
      const word = isValue ? (/^\w+/.exec(text)?.[0] ?? '') : '';
      if (word !== '') parts.push({ kind: 'name', name: word, position: d.at(child) });
      parts.push(literal(text.slice(word.length)));
      isValue = false;
    }
  }
  return parts.length === 0 ? literal('') : join(parts.filter(part => part === 0 || part.kind !== 'text' || part.text !== ''));
}

function typeTerm(d: Digester, node: SyntaxNode): Term {
  const names = d.named(node).filter(child => d.kind(child) === 'identifier');
  const [head = NO_NODE, ...rest] = names;
  const of = rest.reduce<Term>((term, child) => ({ kind: 'member', owner: term, name: d.text(child), position: d.at(child) }), name(d, head));
  const given = d.child(node, 'type_arguments');
  return given === NO_NODE ? of : { kind: 'generic', base: of, args: d.named(given).map(child => d.term(child)) };
}

/** A lambda behind a call is its last argument. */
function callTerm(d: Digester, node: SyntaxNode): Term {
  const [callee = NO_NODE, ...rest] = d.named(node);
  const args = rest.flatMap((child): Term[] => {
    const kind = d.kind(child);
    if (kind === 'value_arguments') return argumentsOf(d, child);
    return kind === 'annotated_lambda' || kind === 'lambda_literal' ? [d.term(child)] : [];
  });
  const types = d.child(node, 'type_arguments');
  const isCallWithLambda = d.kind(callee) === 'call_expression' && rest.every(child => d.kind(child) === 'annotated_lambda');
  if (isCallWithLambda) {
    const inner = d.term(callee);
    if (inner !== 0 && inner.kind === 'call') return { ...inner, args: [...inner.args, ...args] };
  }
  const f = d.term(callee);
  const called: Term = types === NO_NODE ? f : { kind: 'generic', base: f, args: d.named(types).map(child => d.term(child)) };
  const at = d.kind(callee) === 'navigation_expression' ? (d.named(callee)[1] ?? callee) : callee;
  return { kind: 'call', callee: called, args, position: d.at(at) };
}

/** `get<Orders> { … }`, which the grammar reads as two comparisons. */
function typedCall(d: Digester, comparison: SyntaxNode, block: SyntaxNode): Term {
  const callee = d.field(comparison, 'left');
  return {
    kind: 'call',
    callee: { kind: 'generic', base: d.term(callee), args: [d.term(d.field(comparison, 'right'))] },
    args: [d.term(block)],
    position: d.at(callee),
  };
}

function argumentsOf(d: Digester, node: SyntaxNode): Term[] {
  return d.named(node).map(child => {
    const parts = d.named(child);
    const value = d.term(parts.at(-1) ?? NO_NODE);
    const isNamed = parts.length > 1 && d.kind(parts[0] ?? NO_NODE) === 'identifier';
    return isNamed ? { kind: 'named', name: d.text(parts[0] ?? NO_NODE), value: value } : value;
  });
}

function lambda(d: Digester, node: SyntaxNode): Term {
  const parameters = d
    .named(d.child(node, 'lambda_parameters'))
    .map(child => ({ name: d.text(d.kind(child) === 'variable_declaration' ? (d.named(child)[0] ?? child) : child) }));
  const children = d.named(node).filter(child => d.kind(child) !== 'lambda_parameters');
  return { kind: 'function', fn: { name: '', position: d.at(node), parameters, body: withResult(d, children) } };
}

/** Steps of statements; the last one is the result. */
function withResult(d: Digester, nodes: readonly SyntaxNode[]): Step[] {
  const steps: Step[] = [];
  for (const [index, child] of nodes.entries()) {
    const before = steps.length;
    d.step(child, steps);
    const [only] = steps.slice(before);
    if (index === nodes.length - 1 && only?.kind === 'do' && steps.length === before + 1) steps[before] = { kind: 'return', value: only.value };
  }
  return steps;
}

function annotationTerm(d: Digester, node: SyntaxNode): Term {
  const child = d.child(node, 'constructor_invocation', 'user_type');
  const type = d.kind(child) === 'user_type' ? child : d.child(child, 'user_type');
  return { kind: 'call', callee: typeTerm(d, type), args: argumentsOf(d, d.child(child, 'value_arguments')), position: d.at(type) };
}

function annotations(d: Digester, node: SyntaxNode): { readonly decorators?: readonly Term[] } {
  const found = d
    .named(d.child(node, 'modifiers', 'parameter_modifiers'))
    .filter(child => d.kind(child) === 'annotation')
    .map(child => annotationTerm(d, child));
  return found.length === 0 ? {} : { decorators: found };
}

function classStep(d: Digester, node: SyntaxNode, steps: Step[]): void {
  const nameNode = d.field(node, 'name') === NO_NODE ? d.child(node, 'identifier') : d.field(node, 'name');
  const bases = d.named(d.child(node, 'delegation_specifiers')).map(child => {
    const inner = d.named(child)[0] ?? NO_NODE;
    return d.term(d.kind(inner) === 'user_type' ? inner : d.child(inner, 'user_type'));
  });
  const body: Step[] = [];
  const parameters = d.child(d.child(node, 'primary_constructor'), 'class_parameters');
  for (const parameter of d.named(parameters)) {
    const own = d.child(parameter, 'identifier');
    const type = d.term(d.child(parameter, 'user_type', 'nullable_type'));
    body.push({ kind: 'let', name: d.text(own), position: d.at(own), ...(type === 0 ? {} : { type }), ...annotations(d, parameter) });
  }
  body.push(...d.body(d.child(node, 'class_body', 'enum_class_body')));
  const isInterface = d.kind(node) === 'class_declaration' && /^(?:[\w\s@]|\([^)]*\))*?\binterface\s+\w/.test(d.text(node).slice(0, 2_000));
  const cls = {
    name: d.text(nameNode),
    position: d.at(nameNode),
    bases: bases.filter(base => base !== 0),
    ...annotations(d, node),
    body,
    ...(isInterface ? { isInterface: true as const } : {}),
  };
  steps.push({ kind: 'class', cls });
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
    name: plainName(d.text(nameNode)),
    position: d.at(nameNode),
    parameters: parametersOf(d, params),
    ...annotations(d, node),
    ...(r === 0 ? {} : { result: r }),
    ...(receiver === undefined ? {} : { owner: d.term(receiver), self: 'this' }),
    body: d.bodyOf(
      body,
      () => (block === NO_NODE ? withReturn(d, body) : d.body(block)),
      receiver !== undefined && /^(?:Route|Routing|Application)\b/.test(d.text(receiver)),
    ),
  };
  steps.push({ kind: 'fn', fn });
}

function withReturn(d: Digester, body: SyntaxNode): Step[] {
  const value = d.named(body)[0] ?? NO_NODE;
  const x = d.term(value);
  if (x === 0) return [];
  return x.kind === 'other' ? stepsOf(d, value) : [{ kind: 'return', value: x }];
}

function stepsOf(d: Digester, node: SyntaxNode): Step[] {
  const steps: Step[] = [];
  expressionStep(d, node, steps);
  return steps;
}

/** Modifiers of a parameter, with its annotations, stand in front of it. */
function parametersOf(d: Digester, node: SyntaxNode): DigestParameter[] {
  const found: DigestParameter[] = [];
  let before: { readonly decorators?: readonly Term[] } = {};
  for (const child of d.named(node)) {
    if (d.kind(child) === 'parameter_modifiers') {
      const decorators = d
        .named(child)
        .filter(each => d.kind(each) === 'annotation')
        .map(each => annotationTerm(d, each));
      before = decorators.length === 0 ? {} : { decorators: decorators };
    } else if (d.kind(child) === 'parameter') {
      const type = d.term(d.child(child, 'user_type', 'nullable_type'));
      found.push({ name: d.text(d.child(child, 'identifier')), ...(type === 0 ? {} : { type }), ...before });
      before = {};
    }
  }
  return found;
}
