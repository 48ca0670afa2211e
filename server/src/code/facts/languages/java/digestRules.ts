/** What a digest keeps of a Java file. */
import type { DigestFunction, DigestParameter, Step, Term } from '../../../../model/digest';
import { NO_NODE } from '../../../parse/syntaxReader';
import { type SyntaxNode, syntaxNode } from '../../../parse/syntaxTable';
import { assignmentStep, binaryTerm, first, returnStep } from '../../digest/commonRules';
import { any, type Digester, type DigestRules, dotted, join, literal } from '../../digest/digester';

const SIGN =
  /\b(?:springframework|javax\.ws|jakarta\.ws|retrofit2|okhttp3?|feign|kafka|rabbit|amqp|jms|micronaut|quarkus|vertx|smallrye|grpc|java\.net\.http|HttpURLConnection|HttpClient|spark\.Spark|io\.javalin|jedis|aws|google\.cloud|azure|dapr|eventuate|axonframework)\b|\bstatic\s+final\s+String\b|\bfinal\s+static\s+String\b|\binterface\s+\w+\s*\{|System\.getenv/;

const items = (d: Digester, node: SyntaxNode): Term => ({ k: 'l', of: d.named(node).map(child => d.term(child)) });
const name = (d: Digester, node: SyntaxNode): Term => ({ k: 'n', v: d.text(node), p: d.at(node) });

export const JAVA_DIGEST: DigestRules = {
  sign: SIGN,
  tests: /\bimport (?:static )?(?:org\.junit|org\.testng|org\.mockito)\b/,
  package: d => d.text(d.named(d.child(syntaxNode(0), 'package_declaration')).at(-1) ?? NO_NODE),
  terms: {
    string_literal: (d, node) => {
      const text = d.text(node);
      return literal((text.startsWith('"""') ? text.slice(3, -3).trim() : text.slice(1, -1)).replace(/\\(.)/g, '$1'));
    },
    identifier: name,
    type_identifier: name,
    this: name,
    scoped_identifier: (d, node) => dotted(d, node, '.'),
    scoped_type_identifier: (d, node) => dotted(d, node, '.'),
    generic_type: (d, node) => ({ k: '<', of: first(d, node), a: d.named(d.child(node, 'type_arguments')).map(child => d.term(child)) }),
    field_access: (d, node) => {
      const field = d.field(node, 'field');
      return { k: 'm', of: d.term(d.field(node, 'object')), v: d.text(field), p: d.at(field) };
    },
    class_literal: first,
    method_invocation: (d, node) => {
      const nameNode = d.field(node, 'name');
      const object = d.field(node, 'object');
      const p = d.at(nameNode);
      const v = d.text(nameNode);
      const a = d.named(d.field(node, 'arguments')).map(child => d.term(child));
      const of = d.term(object);
      if (v === 'format' && d.text(object) === 'String') return formatted(a);
      return { k: 'call', f: object === NO_NODE ? { k: 'n', v, p } : { k: 'm', of, v, p }, a, p };
    },
    object_creation_expression: (d, node) => {
      const type = d.field(node, 'type');
      const a = d.named(d.field(node, 'arguments')).map(child => d.term(child));
      const body = d.child(node, 'class_body');
      const call: Term = { k: 'call', f: d.term(type), a, n: 1, p: d.at(type) };
      if (body === NO_NODE) return call;
      const of = d.body(body).flatMap(step => (step.s === 'fn' ? [{ k: 'f', fn: step.fn } as Term] : []));
      return { k: 'call', f: d.term(type), a: [...a, ...of], n: 1, p: d.at(type) };
    },
    method_reference: (d, node) => {
      const [object = NO_NODE, member = NO_NODE] = d.named(node);
      return { k: 'm', of: d.term(object), v: d.text(member), p: d.at(member === NO_NODE ? object : member) };
    },
    lambda_expression: (d, node) => {
      const params = d.field(node, 'parameters');
      const body = d.field(node, 'body');
      const ps =
        d.kind(params) === 'identifier'
          ? [{ v: d.text(params) }]
          : d.kind(params) === 'inferred_parameters'
            ? d.named(params).map(each => ({ v: d.text(each) }))
            : parameters(d, params);
      const b: Step[] = d.kind(body) === 'block' ? d.body(body) : [{ s: 'return', x: d.term(body) }];
      return { k: 'f', fn: { v: '', p: d.at(node), ps, b } };
    },
    parenthesized_expression: first,
    cast_expression: (d, node) => d.term(d.field(node, 'value')),
    ternary_expression: (d, node) => any([d.term(d.field(node, 'consequence')), d.term(d.field(node, 'alternative'))]),
    array_initializer: items,
    element_value_array_initializer: items,
    array_creation_expression: (d, node) => d.term(d.field(node, 'value')),
    assignment_expression: (d, node) => d.term(d.field(node, 'right')),
    binary_expression: binaryTerm('+'),
    annotation: annotationTerm,
    marker_annotation: annotationTerm,
  },
  steps: {
    package_declaration: () => undefined,
    import_declaration: (d, node, steps) => {
      const path = d.named(node)[0] ?? NO_NODE;
      const full = d.text(path);
      if (d.child(node, 'asterisk') !== NO_NODE) steps.push({ s: 'import', from: full, name: '*', as: '', p: d.at(path) });
      else {
        const as = full.slice(full.lastIndexOf('.') + 1);
        steps.push({ s: 'import', from: full.slice(0, Math.max(0, full.lastIndexOf('.'))), name: as, as, p: d.at(path) });
      }
    },
    class_declaration: classStep,
    record_declaration: classStep,
    interface_declaration: classStep,
    enum_declaration: classStep,
    annotation_type_declaration: classStep,
    method_declaration: (d, node, steps) => {
      const nameNode = d.field(node, 'name');
      const decorators = annotations(d, node);
      const r = d.term(d.field(node, 'type'));
      const fn: DigestFunction = {
        v: d.text(nameNode),
        p: d.at(nameNode),
        ps: parameters(d, d.field(node, 'parameters')),
        ...decorators,
        ...(r === 0 ? {} : { r }),
        b: d.bodyOf(d.field(node, 'body')),
      };
      steps.push({ s: 'fn', fn });
    },
    constructor_declaration: (d, node, steps) => {
      const nameNode = d.field(node, 'name');
      steps.push({
        s: 'fn',
        fn: { v: 'constructor', p: d.at(nameNode), ps: parameters(d, d.field(node, 'parameters')), ...annotations(d, node), b: d.body(d.field(node, 'body')) },
      });
    },
    field_declaration: variables,
    constant_declaration: variables,
    local_variable_declaration: variables,
    expression_statement: (d, node, steps) => {
      const child = d.named(node)[0] ?? NO_NODE;
      if (d.kind(child) === 'assignment_expression') assignmentStep(d, child, steps);
      else d.step(child, steps);
    },
    return_statement: returnStep,
  },
};

function formatted(a: readonly Term[]): Term {
  const [text, ...values] = a;
  if (text === undefined || text === 0 || text.k !== 's') return 0;
  const parts = text.v.split(/%[sd]/);
  return join(parts.flatMap((part, index) => (index === 0 ? [literal(part)] : [values[index - 1] || ({ k: 'n', v: '*', p: 0 } as Term), literal(part)])));
}

function annotationTerm(d: Digester, node: SyntaxNode): Term {
  const nameNode = d.field(node, 'name');
  const a: Term[] = d.named(d.field(node, 'arguments')).map(child => {
    if (d.kind(child) !== 'element_value_pair') return d.term(child);
    return { k: '=', v: d.text(d.field(child, 'key')), of: d.term(d.field(child, 'value')) };
  });
  return { k: 'call', f: d.term(nameNode), a, p: d.at(nameNode) };
}

function annotations(d: Digester, node: SyntaxNode): { readonly d?: readonly Term[] } {
  const found = d
    .named(d.child(node, 'modifiers'))
    .filter(child => d.kind(child).endsWith('annotation'))
    .map(child => annotationTerm(d, child));
  return found.length === 0 ? {} : { d: found };
}

function classStep(d: Digester, node: SyntaxNode, steps: Step[]): void {
  const nameNode = d.field(node, 'name');
  const bases: Term[] = [];
  for (const child of [d.field(node, 'superclass'), d.field(node, 'interfaces'), d.child(node, 'extends_interfaces')]) {
    for (const each of d.named(child)) for (const type of d.kind(each) === 'type_list' ? d.named(each) : [each]) bases.push(d.term(type));
  }
  const b: Step[] = [];
  const record = d.field(node, 'parameters');
  if (record !== NO_NODE)
    for (const parameter of parameters(d, record))
      b.push({ s: 'let', v: parameter.v, p: d.at(record), ...(parameter.t === undefined ? {} : { t: parameter.t }) });
  b.push(...d.body(d.field(node, 'body')));
  const isInterface = d.kind(node) === 'interface_declaration';
  steps.push({
    s: 'class',
    c: { v: d.text(nameNode), p: d.at(nameNode), bases: bases.filter(base => base !== 0), ...annotations(d, node), b, ...(isInterface ? { i: 1 } : {}) },
  });
}

function variables(d: Digester, node: SyntaxNode, steps: Step[]): void {
  const t = d.term(d.field(node, 'type'));
  const decorators = annotations(d, node);
  for (const declarator of d.fields(node, 'declarator')) {
    const nameNode = d.field(declarator, 'name');
    const x = d.term(d.field(declarator, 'value'));
    steps.push({ s: 'let', v: d.text(nameNode), p: d.at(nameNode), ...(t === 0 ? {} : { t }), ...(x === 0 ? {} : { x }), ...decorators });
  }
}

function parameters(d: Digester, node: SyntaxNode): DigestParameter[] {
  return d
    .named(node)
    .filter(child => d.kind(child).endsWith('parameter'))
    .map(child => {
      const t = d.term(d.field(child, 'type'));
      return { v: d.text(d.field(child, 'name')), ...(t === 0 ? {} : { t }), ...annotations(d, child) };
    });
}
