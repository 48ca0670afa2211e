/** What a digest keeps of a C# file. */
import type { DigestFunction, DigestParameter, Step, Term } from '../../../../model/digest';
import { NO_NODE } from '../../../parse/syntaxReader';
import { type SyntaxNode, syntaxNode } from '../../../parse/syntaxTable';
import { binaryTerm, first, returnStep } from '../../digest/commonRules';
import { any, type Digester, type DigestRules, dotted, expressionStep, join, literal } from '../../digest/digester';

const SIGN =
  /\b(?:AspNetCore|HotChocolate|GraphQL|AddGraphQLServer|ExtendObjectType|QueryType|MutationType|System\.Web\.(?:Http|Mvc)|System\.Net\.Http|HttpClient|IHttpClientFactory|IHttpClientBuilder|WebApplication|DistributedApplication|IEndpointRouteBuilder|RouteGroupBuilder|IApplicationBuilder|ICarterModule|FastEndpoints|Refit|RestSharp|Flurl|MassTransit|IConsumer|Rebus|NServiceBus|RabbitMQ|Confluent|Dapr|Grpc|StackExchange\.Redis|MongoClient|Azure\.Messaging|EventBus|\w*IntegrationEvent\w*|Npgsql|SqlConnection|UseSqlServer|UseNpgsql|UseMySql|Environment\.GetEnvironmentVariable)\b|\bMap(?:Get|Post|Put|Patch|Delete|Methods|Group)\(|\bAdd(?:Http|Refit|Grpc)Client\b|\bBaseAddress\b|\[(?:Get|Post|Put|Patch|Delete)\("|\[(?:Route|Http(?:Get|Post|Put|Patch|Delete)|ApiController)\b|:\s*(?:ControllerBase|Controller|ApiController)\b|\bconst\s+string\b/;

const name = (d: Digester, node: SyntaxNode): Term => ({ kind: 'name', name: d.text(node), position: d.at(node) });
const items = (d: Digester, node: SyntaxNode): Term => ({ kind: 'list', items: d.named(node).map(child => d.term(child)) });

export const CSHARP_DIGEST: DigestRules = {
  sign: SIGN,
  tests: /^\s*using (?:Xunit|NUnit|Microsoft\.VisualStudio\.TestTools|TUnit|Moq|NSubstitute)\b/m,
  package: d => namespaceOf(d),
  terms: {
    string_literal: (d, node) =>
      literal(
        d
          .named(node)
          .map(child => unescaped(d.text(child)))
          .join(''),
      ),
    verbatim_string_literal: (d, node) => literal(d.text(node).slice(2, -1).replaceAll('""', '"')),
    raw_string_literal: (d, node) => literal(d.text(d.child(node, 'raw_string_content')).trim()),
    interpolated_string_expression: (d, node) => {
      const parts = d.named(node).flatMap((child): Term[] => {
        const kind = d.kind(child);
        if (kind === 'string_content') return [literal(d.text(child).replaceAll('{{', '{').replaceAll('}}', '}'))];
        if (kind === 'escape_sequence') return [literal(unescaped(d.text(child)))];
        if (kind !== 'interpolation') return [];
        const value = d.named(child).find(each => d.kind(each) !== 'interpolation_brace') ?? NO_NODE;
        return [d.term(value) || { kind: 'name', name: '*', position: 0 }];
      });
      return parts.length === 0 ? literal('') : join(parts);
    },
    identifier: name,
    this: name,
    base: name,
    predefined_type: name,
    implicit_type: () => 0,
    qualified_name: (d, node) => dotted(d, node, '.'),
    alias_qualified_name: (d, node) => dotted(d, d.field(node, 'name'), '.'),
    nullable_type: first,
    generic_name: (d, node) => ({ kind: 'generic', base: first(d, node), args: d.named(d.child(node, 'type_argument_list')).map(child => d.term(child)) }),
    member_access_expression: memberTerm,
    conditional_access_expression: (d, node) => {
      const [object = NO_NODE, access = NO_NODE] = d.named(node);
      return accessed(d, d.term(object), access);
    },
    typeof_expression: (d, node) => d.term(d.field(node, 'type')),
    invocation_expression: (d, node) => {
      const callee = d.field(node, 'function');
      const args = argumentsOf(d, d.field(node, 'arguments'));
      if (d.text(callee) === 'nameof') return literal(d.text(d.named(d.field(node, 'arguments'))[0] ?? NO_NODE).replace(/^.*\./, ''));
      if (/^[sS]tring\.Format$/.test(d.text(callee))) return formatted(args);
      return { kind: 'call', callee: d.term(callee), args, position: d.at(calleeName(d, callee)) };
    },
    object_creation_expression: (d, node) => created(d, node, d.field(node, 'type')),
    implicit_object_creation_expression: (d, node) => {
      const [only] = argumentsOf(d, d.child(node, 'argument_list'));
      return only ?? 0;
    },
    anonymous_object_creation_expression: () => 0,
    array_creation_expression: (d, node) => d.term(d.child(node, 'initializer_expression')),
    implicit_array_creation_expression: (d, node) => d.term(d.child(node, 'initializer_expression')),
    initializer_expression: items,
    collection_expression: items,
    collection_element: first,
    expression_element: first,
    lambda_expression: lambda,
    anonymous_method_expression: lambda,
    parenthesized_expression: first,
    await_expression: first,
    postfix_unary_expression: first,
    cast_expression: (d, node) => d.term(d.field(node, 'value')),
    as_expression: (d, node) => d.term(d.field(node, 'left')),
    assignment_expression: (d, node) => d.term(d.field(node, 'right')),
    conditional_expression: (d, node) => any([d.term(d.field(node, 'consequence')), d.term(d.field(node, 'alternative'))]),
    element_access_expression: (d, node) => {
      const of = d.term(d.field(node, 'expression'));
      const [key] = argumentsOf(d, d.field(node, 'subscript'));
      return key !== undefined && key !== 0 && key.kind === 'text' && of !== 0 ? { kind: 'member', owner: of, name: key.text, position: d.at(node) } : of;
    },
    binary_expression: binaryTerm('+', '??'),
  },
  steps: {
    using_directive: (d, node, steps) => {
      const alias = d.field(node, 'name');
      const path = d.named(node).find(child => child !== alias) ?? NO_NODE;
      const from = d.text(path);
      if (alias === NO_NODE || path === NO_NODE)
        steps.push({ kind: 'import', from: path === NO_NODE ? d.text(alias) : from, name: '*', as: '', position: d.at(node) });
      else
        steps.push({
          kind: 'import',
          from: from.slice(0, Math.max(0, from.lastIndexOf('.'))),
          name: from.slice(from.lastIndexOf('.') + 1),
          as: d.text(alias),
          position: d.at(path),
        });
    },
    class_declaration: classStep,
    record_declaration: classStep,
    struct_declaration: classStep,
    interface_declaration: classStep,
    method_declaration: functionStep,
    local_function_statement: functionStep,
    constructor_declaration: functionStep,
    field_declaration: (d, node, steps) => variables(d, d.child(node, 'variable_declaration'), attributes(d, node), steps),
    local_declaration_statement: (d, node, steps) => variables(d, d.child(node, 'variable_declaration'), {}, steps),
    using_statement: (d, node, steps) => {
      for (const child of d.named(node)) if (d.kind(child) === 'variable_declaration') variables(d, child, {}, steps);
      steps.push(...d.body(d.field(node, 'body')));
    },
    property_declaration: (d, node, steps) => {
      const nameNode = d.field(node, 'name');
      const type = d.term(d.field(node, 'type'));
      const value = d.field(node, 'value');
      const x = d.term(d.kind(value) === 'arrow_expression_clause' ? (d.named(value)[0] ?? NO_NODE) : value);
      steps.push({
        kind: 'let',
        name: d.text(nameNode),
        position: d.at(nameNode),
        ...(type === 0 ? {} : { type }),
        ...(x === 0 ? {} : { value: x }),
        ...attributes(d, node),
      });
    },
    expression_statement: (d, node, steps) => {
      const child = d.named(node)[0] ?? NO_NODE;
      if (d.kind(child) === 'assignment_expression') assignmentStep(d, child, steps);
      else expressionStep(d, child, steps);
    },
    return_statement: returnStep,
  },
};

function unescaped(text: string): string {
  return text.replace(/\\(.)/g, '$1');
}

function namespaceOf(d: Digester): string {
  const node = d.child(syntaxNode(0), 'file_scoped_namespace_declaration', 'namespace_declaration');
  return d.text(d.field(node, 'name'));
}

function calleeName(d: Digester, callee: SyntaxNode): SyntaxNode {
  if (d.kind(callee) === 'member_access_expression') return calleeName(d, d.field(callee, 'name'));
  return d.kind(callee) === 'generic_name' ? (d.named(callee)[0] ?? callee) : callee;
}

/** `of.name`, `of.Name<T>` */
function memberTerm(d: Digester, node: SyntaxNode): Term {
  const object = d.field(node, 'expression');
  const of = object === NO_NODE ? ({ kind: 'name', name: 'this', position: 0 } as Term) : d.term(object);
  return named(d, of, d.field(node, 'name'));
}

function named(d: Digester, of: Term, node: SyntaxNode): Term {
  if (d.kind(node) !== 'generic_name') return { kind: 'member', owner: of, name: d.text(node), position: d.at(node) };
  const [nameNode = NO_NODE] = d.named(node);
  const member: Term = { kind: 'member', owner: of, name: d.text(nameNode), position: d.at(nameNode) };
  return { kind: 'generic', base: member, args: d.named(d.child(node, 'type_argument_list')).map(child => d.term(child)) };
}

/** `object?.Name(…)` */
function accessed(d: Digester, of: Term, node: SyntaxNode): Term {
  if (d.kind(node) === 'member_binding_expression') return named(d, of, d.field(node, 'name'));
  if (d.kind(node) !== 'invocation_expression') return of;
  const callee = d.field(node, 'function');
  return { kind: 'call', callee: accessed(d, of, callee), args: argumentsOf(d, d.field(node, 'arguments')), position: d.at(callee) };
}

function argumentsOf(d: Digester, node: SyntaxNode): Term[] {
  return d.named(node).map(child => {
    const nameNode = d.field(child, 'name');
    const value = d.named(child).findLast(each => each !== nameNode) ?? NO_NODE;
    return nameNode === NO_NODE ? d.term(value) : { kind: 'named', name: d.text(nameNode), value: d.term(value) };
  });
}

/** `new T(…) { Name = value }`: what the initializer sets are arguments with names. */
function created(d: Digester, node: SyntaxNode, type: SyntaxNode): Term {
  const args = argumentsOf(d, d.field(node, 'arguments'));
  if (/^(?:System\.)?Uri$/.test(d.text(type))) return args.length > 1 ? join(args) : (args[0] ?? 0);
  const given = d
    .named(d.field(node, 'initializer'))
    .flatMap((child): Term[] =>
      d.kind(child) === 'assignment_expression'
        ? [{ kind: 'named', name: d.text(d.field(child, 'left')), value: d.term(d.field(child, 'right')) }]
        : [d.term(child)].filter(term => term !== 0),
    );
  return { kind: 'call', callee: d.term(type), args: [...args, ...given], isConstruction: true, position: d.at(type) };
}

function formatted([text, ...values]: readonly Term[]): Term {
  if (text === undefined || text === 0 || text.kind !== 'text') return 0;
  return join(
    text.text
      .split(/\{(\d+)[^}]*\}/)
      .map((part, index): Term => (index % 2 === 0 ? literal(part) : (values[Number(part)] ?? 0) || { kind: 'name', name: '*', position: 0 })),
  );
}

function lambda(d: Digester, node: SyntaxNode): Term {
  const params = d.field(node, 'parameters');
  const ps = d.kind(params) === 'implicit_parameter' ? [{ name: d.text(params) }] : parameters(d, params);
  return { kind: 'function', fn: { name: '', position: d.at(node), parameters: ps, body: blockOf(d, d.field(node, 'body')) } };
}

/** A block, or an expression that is the result. */
function blockOf(d: Digester, body: SyntaxNode): Step[] {
  const kind = d.kind(body);
  if (kind === 'block') return d.body(body);
  const node = kind === 'arrow_expression_clause' ? (d.named(body)[0] ?? NO_NODE) : body;
  if (d.kind(node) === 'assignment_expression') {
    const steps: Step[] = [];
    assignmentStep(d, node, steps);
    return steps;
  }
  const value = d.term(node);
  return value === 0 ? [] : [{ kind: 'return', value }];
}

function assignmentStep(d: Digester, node: SyntaxNode, steps: Step[]): void {
  const to = d.term(d.field(node, 'left'));
  const value = d.term(d.field(node, 'right'));
  if (to === 0 || value === 0) return;
  if (to.kind !== 'name') {
    steps.push({ kind: 'set', target: to, value });
    return;
  }
  // A bare name may be a field: both readings are kept.
  steps.push(
    { kind: 'set', target: { kind: 'member', owner: { kind: 'name', name: 'this', position: 0 }, name: to.name, position: to.position }, value },
    { kind: 'let', name: to.name, position: to.position, value },
  );
}

function functionStep(d: Digester, node: SyntaxNode, steps: Step[]): void {
  const isConstructor = d.kind(node) === 'constructor_declaration';
  const nameNode = d.field(node, 'name');
  const result = d.term(isConstructor ? NO_NODE : d.field(node, 'returns') === NO_NODE ? d.field(node, 'type') : d.field(node, 'returns'));
  const body = d.field(node, 'body');
  const fn: DigestFunction = {
    name: isConstructor ? 'constructor' : d.text(nameNode),
    position: d.at(nameNode),
    parameters: parameters(d, d.field(node, 'parameters')),
    ...attributes(d, node),
    ...(result === 0 ? {} : { result }),
    body: d.bodyOf(body, () => blockOf(d, body), isConstructor),
  };
  steps.push({ kind: 'fn', fn });
}

function classStep(d: Digester, node: SyntaxNode, steps: Step[]): void {
  const nameNode = d.field(node, 'name');
  const bases = d
    .named(d.child(node, 'base_list'))
    .map(child => d.term(d.kind(child) === 'primary_constructor_base_type' ? (d.named(child)[0] ?? NO_NODE) : child))
    .filter(base => base !== 0);
  const body: Step[] = [];
  const primary = d.child(node, 'parameter_list');
  if (primary !== NO_NODE) {
    for (const each of parameters(d, primary))
      body.push({ kind: 'let', name: each.name, position: d.at(primary), ...(each.type === undefined ? {} : { type: each.type }) });
  }
  body.push(...d.body(d.field(node, 'body')));
  const isInterface = d.kind(node) === 'interface_declaration';
  steps.push({
    kind: 'class',
    cls: { name: d.text(nameNode), position: d.at(nameNode), bases, ...attributes(d, node), body, ...(isInterface ? { isInterface: true } : {}) },
  });
}

function variables(d: Digester, node: SyntaxNode, decorators: { readonly decorators?: readonly Term[] }, steps: Step[]): void {
  const type = d.term(d.field(node, 'type'));
  for (const declarator of d.named(node)) {
    if (d.kind(declarator) !== 'variable_declarator') continue;
    const nameNode = d.field(declarator, 'name');
    const value = d.term(d.named(declarator).findLast(child => child !== nameNode) ?? NO_NODE);
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

function attributes(d: Digester, node: SyntaxNode): { readonly decorators?: readonly Term[] } {
  const found = d
    .named(node)
    .filter(child => d.kind(child) === 'attribute_list')
    .flatMap(list => d.named(list))
    .filter(child => d.kind(child) === 'attribute')
    .map((child): Term => {
      const nameNode = d.field(child, 'name');
      return { kind: 'call', callee: d.term(nameNode), args: argumentsOf(d, d.child(child, 'attribute_argument_list')), position: d.at(nameNode) };
    });
  return found.length === 0 ? {} : { decorators: found };
}

function parameters(d: Digester, node: SyntaxNode): DigestParameter[] {
  return d
    .named(node)
    .filter(child => d.kind(child) === 'parameter')
    .map(child => {
      const type = d.term(d.field(child, 'type'));
      const isReceiver = d.named(child).some(each => d.kind(each) === 'modifier' && d.text(each) === 'this');
      const given = isReceiver ? { decorators: [{ kind: 'name', name: 'this', position: 0 } as Term] } : attributes(d, child);
      return { name: d.text(d.field(child, 'name')), ...(type === 0 ? {} : { type }), ...given };
    });
}
