/** What a digest keeps of a Java file. */
import type { DigestFunction, DigestParameter, Step, Term } from '../../../../model/digest';
import { NO_NODE } from '../../../parse/syntaxReader';
import { type SyntaxNode, syntaxNode } from '../../../parse/syntaxTable';
import { assignmentStep, binaryTerm, first, returnStep } from '../../digest/commonRules';
import { any, type Digester, type DigestRules, dotted, join, literal } from '../../digest/digester';

const SIGN =
  /\b(?:graphql|springframework|javax\.ws|jakarta\.ws|javax\.servlet|jakarta\.servlet|retrofit2|okhttp3?|feign|kafka|rabbit|amqp|jms|micronaut|quarkus|vertx|smallrye|microprofile|grpc|java\.net\.http|HttpURLConnection|HttpClient|spark\.Spark|io\.javalin|jedis|aws|google\.cloud|azure|dapr|helidon|nats|eventuate|axonframework)\b|\bstatic\s+final\s+String\b|\bfinal\s+static\s+String\b|\binterface\s+\w+\s*\{|System\.getenv|^[ \t]*[A-Z][A-Z0-9_]+\("/m;

const items = (d: Digester, node: SyntaxNode): Term => ({ kind: 'list', items: d.named(node).map(child => d.term(child)) });
const name = (d: Digester, node: SyntaxNode): Term => ({ kind: 'name', name: d.text(node), position: d.at(node) });

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
    generic_type: (d, node) => ({ kind: 'generic', base: first(d, node), args: d.named(d.child(node, 'type_arguments')).map(child => d.term(child)) }),
    field_access: (d, node) => {
      const field = d.field(node, 'field');
      return { kind: 'member', owner: d.term(d.field(node, 'object')), name: d.text(field), position: d.at(field) };
    },
    class_literal: first,
    method_invocation: (d, node) => {
      const nameNode = d.field(node, 'name');
      const object = d.field(node, 'object');
      const position = d.at(nameNode);
      const v = d.text(nameNode);
      const args = d.named(d.field(node, 'arguments')).map(child => d.term(child));
      const of = d.term(object);
      if (v === 'format' && d.text(object) === 'String') return formatted(args);
      return {
        kind: 'call',
        callee: object === NO_NODE ? { kind: 'name', name: v, position } : { kind: 'member', owner: of, name: v, position },
        args,
        position,
      };
    },
    object_creation_expression: (d, node) => {
      const type = d.field(node, 'type');
      const args = d.named(d.field(node, 'arguments')).map(child => d.term(child));
      const body = d.child(node, 'class_body');
      const call: Term = { kind: 'call', callee: d.term(type), args, isConstruction: true, position: d.at(type) };
      if (body === NO_NODE) return call;
      const of = d.body(body).flatMap(step => (step.kind === 'fn' ? [{ kind: 'function', fn: step.fn } as Term] : []));
      return { kind: 'call', callee: d.term(type), args: [...args, ...of], isConstruction: true, position: d.at(type) };
    },
    method_reference: (d, node) => {
      const [object = NO_NODE, member = NO_NODE] = d.named(node);
      return { kind: 'member', owner: d.term(object), name: d.text(member), position: d.at(member === NO_NODE ? object : member) };
    },
    lambda_expression: (d, node) => {
      const params = d.field(node, 'parameters');
      const body = d.field(node, 'body');
      const ps =
        d.kind(params) === 'identifier'
          ? [{ name: d.text(params) }]
          : d.kind(params) === 'inferred_parameters'
            ? d.named(params).map(each => ({ name: d.text(each) }))
            : parameters(d, params);
      const b: Step[] = d.kind(body) === 'block' ? d.body(body) : [{ kind: 'return', value: d.term(body) }];
      return { kind: 'function', fn: { name: '', position: d.at(node), parameters: ps, body: b } };
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
      if (d.child(node, 'asterisk') !== NO_NODE) steps.push({ kind: 'import', from: full, name: '*', as: '', position: d.at(path) });
      else {
        const as = full.slice(full.lastIndexOf('.') + 1);
        steps.push({ kind: 'import', from: full.slice(0, Math.max(0, full.lastIndexOf('.'))), name: as, as, position: d.at(path) });
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
      const result = d.term(d.field(node, 'type'));
      const fn: DigestFunction = {
        name: d.text(nameNode),
        position: d.at(nameNode),
        parameters: parameters(d, d.field(node, 'parameters')),
        ...decorators,
        ...(result === 0 ? {} : { result }),
        body: d.bodyOf(d.field(node, 'body')),
      };
      steps.push({ kind: 'fn', fn });
    },
    constructor_declaration: (d, node, steps) => {
      const nameNode = d.field(node, 'name');
      steps.push({
        kind: 'fn',
        fn: {
          name: 'constructor',
          position: d.at(nameNode),
          parameters: parameters(d, d.field(node, 'parameters')),
          ...annotations(d, node),
          body: d.body(d.field(node, 'body')),
        },
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

function formatted(args: readonly Term[]): Term {
  const [text, ...values] = args;
  if (text === undefined || text === 0 || text.kind !== 'text') return 0;
  const parts = text.text.split(/%[sd]/);
  return join(
    parts.flatMap((part, index) => (index === 0 ? [literal(part)] : [values[index - 1] || ({ kind: 'name', name: '*', position: 0 } as Term), literal(part)])),
  );
}

function annotationTerm(d: Digester, node: SyntaxNode): Term {
  const nameNode = d.field(node, 'name');
  const args: Term[] = d.named(d.field(node, 'arguments')).map(child => {
    if (d.kind(child) !== 'element_value_pair') return d.term(child);
    return { kind: 'named', name: d.text(d.field(child, 'key')), value: d.term(d.field(child, 'value')) };
  });
  return { kind: 'call', callee: d.term(nameNode), args, position: d.at(nameNode) };
}

function annotations(d: Digester, node: SyntaxNode): { readonly decorators?: readonly Term[] } {
  const found = d
    .named(d.child(node, 'modifiers'))
    .filter(child => d.kind(child).endsWith('annotation'))
    .map(child => annotationTerm(d, child));
  return found.length === 0 ? {} : { decorators: found };
}

function classStep(d: Digester, node: SyntaxNode, steps: Step[]): void {
  const nameNode = d.field(node, 'name');
  const bases: Term[] = [];
  for (const child of [d.field(node, 'superclass'), d.field(node, 'interfaces'), d.child(node, 'extends_interfaces')]) {
    for (const each of d.named(child)) for (const type of d.kind(each) === 'type_list' ? d.named(each) : [each]) bases.push(d.term(type));
  }
  const body: Step[] = [];
  const record = d.field(node, 'parameters');
  if (record !== NO_NODE)
    for (const parameter of parameters(d, record))
      body.push({ kind: 'let', name: parameter.name, position: d.at(record), ...(parameter.type === undefined ? {} : { type: parameter.type }) });
  for (const constant of d.kind(node) === 'enum_declaration' ? d.named(d.field(node, 'body')) : []) {
    if (d.kind(constant) !== 'enum_constant') continue;
    const own = d.field(constant, 'name');
    const args = d.named(d.field(constant, 'arguments')).map(child => d.term(child));
    const position = d.at(own);
    const value: Term = { kind: 'call', callee: { kind: 'name', name: d.text(nameNode), position }, args, isConstruction: true, position };
    if (args.length > 0) body.push({ kind: 'let', name: d.text(own), position, value });
  }
  body.push(...d.body(d.field(node, 'body')));
  const isInterface = d.kind(node) === 'interface_declaration';
  steps.push({
    kind: 'class',
    cls: {
      name: d.text(nameNode),
      position: d.at(nameNode),
      bases: bases.filter(base => base !== 0),
      ...annotations(d, node),
      body,
      ...(isInterface ? { isInterface: true } : {}),
    },
  });
}

function variables(d: Digester, node: SyntaxNode, steps: Step[]): void {
  const type = d.term(d.field(node, 'type'));
  const decorators = annotations(d, node);
  for (const declarator of d.fields(node, 'declarator')) {
    const nameNode = d.field(declarator, 'name');
    const value = d.term(d.field(declarator, 'value'));
    steps.push({
      kind: 'let',
      name: d.text(nameNode),
      position: d.at(nameNode),
      ...(type === 0 ? {} : { type }),
      ...(value === 0 ? {} : { value }),
      ...decorators,
    });
  }
}

function parameters(d: Digester, node: SyntaxNode): DigestParameter[] {
  return d
    .named(node)
    .filter(child => d.kind(child).endsWith('parameter'))
    .map(child => {
      const type = d.term(d.field(child, 'type'));
      return { name: d.text(d.field(child, 'name')), ...(type === 0 ? {} : { type }), ...annotations(d, child) };
    });
}
