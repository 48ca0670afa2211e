/** What a digest keeps of a TypeScript or JavaScript file. */

import { isGraphQlDocument } from '../../../../base/graphQlText';
import type { DigestFunction, DigestParameter, Step, Term } from '../../../../model/digest';
import { NO_NODE } from '../../../parse/syntaxReader';
import type { SyntaxNode } from '../../../parse/syntaxTable';
import { binaryTerm, first, returnStep } from '../../digest/commonRules';
import { any, type Digester, type DigestRules, expressionStep, join, literal } from '../../digest/digester';

const SIGN =
  /\b(?:express|koa|fastify|hono|hapi|restify|nestjs|polka|elysia|axios|ky|got|undici|superagent|node-fetch|kafkajs|amqplib|amqp|nats|node-nats-streaming|redis|ioredis|bull|bullmq|mqtt|amqp-connection-manager|nestjs-rabbitmq|opossum|inversify-express-utils|loopback|(?:express-|fastify-|fastify\/)?http-proxy(?:-middleware)?|rhea|mongodb|mongoose|grpc|@aws-sdk|aws-sdk|@google-cloud|@dapr|@azure|prisma|typeorm|sequelize|pg|mysql2?|request|request-promise)\b['"`/]|\bfetch\(|\.(?:get|post|put|patch|delete|del|all|use|route|register|listen|openapi|routes|mount)\(|@(?:[cC]ontroller|http(?:Get|Post|Put|Patch|Delete|Method)|all|Get|Post|Put|Patch|Delete|All|EventPattern|MessagePattern|GrpcMethod)\b|export\s+(?:default\s+)?(?:async\s+)?(?:function|const)\s+(?:GET|POST|PUT|PATCH|DELETE|handler|default)\b|process\.env|\b(?:const|readonly|static)\s+[A-Z][A-Z0-9_]{2,}\b|\bexport\s+(?:\*|\{[^}]*\})\s+from\b|\bmodule\.exports\b|\bexport\s+default\b|\bexport\s+enum\b|\bextends\s+\w*(?:Listener|Publisher|Subscriber|Consumer|Producer)\b|\b(?:gql|graphql)\b|['"`](?:@?apollo|@graphql|type-graphql)|\b(?:Query|Mutation|Subscription)\b\s*[:,}]/;

const functionOf = (d: Digester, node: SyntaxNode): Term => ({ kind: 'function', fn: functionDigest(d, node, d.field(node, 'name')) });
const items = (d: Digester, node: SyntaxNode): Term => ({ kind: 'list', items: d.named(node).map(child => d.term(child)) });

export const TYPESCRIPT_DIGEST: DigestRules = {
  sign: SIGN,
  tests: /(?<![.\w])(?:describe|it|test)(?:\.\w+)?\(\s*['"`]|\bfrom ['"](?:vitest|@jest\/globals|node:test|mocha)['"]/,
  terms: {
    string: (d, node) => literal(unescape(d.text(node).slice(1, -1))),
    template_string: templateTerm,
    identifier: (d, node) => ({ kind: 'name', name: d.text(node), position: d.at(node) }),
    this: (d, node) => ({ kind: 'name', name: 'this', position: d.at(node) }),
    shorthand_property_identifier: (d, node) => ({ kind: 'name', name: d.text(node), position: d.at(node) }),
    type_identifier: (d, node) => ({ kind: 'name', name: d.text(node), position: d.at(node) }),
    nested_type_identifier: (d, node) => {
      const name = d.field(node, 'name');
      return { kind: 'member', owner: d.term(d.field(node, 'module')), name: d.text(name), position: d.at(name) };
    },
    predefined_type: () => 0,
    false: () => ({ kind: 'name', name: 'false', position: 0 }),
    member_expression: (d, node) => {
      const name = d.field(node, 'property');
      return { kind: 'member', owner: d.term(d.field(node, 'object')), name: d.text(name), position: d.at(name) };
    },
    subscript_expression: (d, node) => {
      const of = d.term(d.field(node, 'object'));
      const key = d.term(d.field(node, 'index'));
      if (key !== 0 && key.kind === 'text') return { kind: 'member', owner: of, name: key.text, position: d.at(d.field(node, 'index')) };
      return isPath(of) && isPath(key) ? { kind: 'generic', base: { kind: 'name', name: '*item', position: 0 }, args: [of, key] } : 0;
    },
    call_expression: callTerm,
    new_expression: (d, node) => {
      const callee = d.field(node, 'constructor');
      return { kind: 'call', callee: d.term(callee), args: args(d, d.field(node, 'arguments')), isConstruction: true, position: d.at(nameNode(d, callee)) };
    },
    await_expression: first,
    parenthesized_expression: first,
    non_null_expression: first,
    as_expression: first,
    satisfies_expression: first,
    type_assertion: (d, node) => d.term(d.named(node).at(-1) ?? NO_NODE),
    spread_element: first,
    type_annotation: first,
    array: items,
    object: (d, node) => ({ kind: 'object', entries: d.named(node).map(child => member(d, child)) }),
    generic_type: (d, node) => ({
      kind: 'generic',
      base: d.term(d.field(node, 'name')),
      args: d.named(d.field(node, 'type_arguments')).map(child => d.term(child)),
    }),
    arrow_function: functionOf,
    function_expression: functionOf,
    generator_function: functionOf,
    ternary_expression: (d, node) => any([d.term(d.field(node, 'consequence')), d.term(d.field(node, 'alternative'))]),
    binary_expression: binaryTerm('+', '||', '??'),
    assignment_expression: (d, node) => d.term(d.field(node, 'right')),
    class: (d, node) => classTerm(d, node),
  },
  steps: {
    import_statement: importStep,
    export_statement: exportStep,
    lexical_declaration: declarationStep,
    variable_declaration: declarationStep,
    function_declaration: functionStep,
    generator_function_declaration: functionStep,
    class_declaration: (d, node, steps) => classStep(d, node, steps),
    abstract_class_declaration: (d, node, steps) => classStep(d, node, steps),
    interface_declaration: () => undefined,
    type_alias_declaration: () => undefined,
    enum_declaration: (d, node, steps) => {
      const name = d.field(node, 'name');
      const of = d.named(d.field(node, 'body')).map(child => [d.text(d.field(child, 'name')), d.term(d.field(child, 'value'))] as const);
      steps.push({ kind: 'let', name: d.text(name), position: d.at(name), value: { kind: 'object', entries: of } });
    },
    expression_statement: (d, node, steps) => {
      const child = d.named(node)[0] ?? NO_NODE;
      if (d.kind(child) === 'assignment_expression') assignmentStep(d, child, steps);
      else expressionStep(d, child, steps);
    },
    return_statement: returnStep,
    for_in_statement: (d, node, steps) => {
      const name = d.field(node, 'left');
      const value = d.term(d.field(node, 'right'));
      const isPattern = d.kind(name).endsWith('_pattern');
      if ((isPattern || d.kind(name) === 'identifier') && value !== 0) {
        const held = isPattern ? partsName(d.at(name)) : d.text(name);
        const each: Term = { kind: 'generic', base: { kind: 'name', name: '*each', position: 0 }, args: [value] };
        steps.push({ kind: 'let', name: held, position: d.at(name), value: each });
        if (isPattern) partsOfPattern(d, name, { kind: 'name', name: held, position: d.at(name) }, steps);
      }
      d.step(d.field(node, 'body'), steps);
    },
    // Members of classes.
    method_definition: (d, node, steps) => {
      const name = d.field(node, 'name');
      steps.push({ kind: 'fn', fn: functionDigest(d, node, name) });
    },
    public_field_definition: fieldStep,
    field_definition: fieldStep,
    decorator: (d, node) => {
      d.pending.push(first(d, node));
    },
  },
};

function unescape(text: string): string {
  return text.includes('\\') ? text.replace(/\\(.)/g, '$1') : text;
}

function templateTerm(d: Digester, node: SyntaxNode): Term {
  const parts: Term[] = [];
  for (const child of d.named(node)) {
    if (d.kind(child) === 'string_fragment') parts.push(literal(d.text(child)));
    else if (d.kind(child) === 'template_substitution') parts.push(d.term(d.named(child)[0] ?? NO_NODE) || { kind: 'name', name: '*', position: 0 });
  }
  return parts.length === 0 ? literal(d.text(node).slice(1, -1)) : join(parts);
}

function nameNode(d: Digester, node: SyntaxNode): SyntaxNode {
  return d.kind(node) === 'member_expression' ? d.field(node, 'property') : node;
}

/** Of templates with a tag only documents of GraphQL matter. */
function args(d: Digester, node: SyntaxNode): Term[] {
  if (node === NO_NODE) return [];
  if (d.kind(node) !== 'template_string') return d.named(node).map(child => d.term(child));
  return isGraphQlDocument(d.text(node).slice(1)) ? [d.term(node)] : [];
}

function callTerm(d: Digester, node: SyntaxNode): Term {
  const f = d.field(node, 'function');
  if (d.kind(f) === 'subscript_expression') {
    const called = computedCall(d, node, f);
    if (called !== undefined) return called;
  }
  const given = d.named(d.field(node, 'arguments'));
  // The grammar takes `await (…)` for a call.
  if (d.kind(f) === 'identifier' && given.length === 1 && d.text(f) === 'await') return d.term(given[0] ?? NO_NODE);
  const types = d.field(node, 'type_arguments');
  const callee = d.term(f);
  const target: Term = types === NO_NODE ? callee : { kind: 'generic', base: callee, args: d.named(types).map(child => d.term(child)) };
  return { kind: 'call', callee: target, args: args(d, d.field(node, 'arguments')), position: d.at(nameNode(d, f)) };
}

/** `client[method](url)`: a method `*`, whose name is an argument called so. */
function computedCall(d: Digester, node: SyntaxNode, callee: SyntaxNode): Term | undefined {
  const index = d.field(callee, 'index');
  const [owner, key] = [d.term(d.field(callee, 'object')), d.term(index)];
  if (owner === 0 || key === 0 || key.kind === 'text') return undefined;
  const given = args(d, d.field(node, 'arguments'));
  const position = d.at(index);
  return { kind: 'call', callee: { kind: 'member', owner, name: '*', position }, args: [{ kind: 'named', name: '*', value: key }, ...given], position };
}

function member(d: Digester, node: SyntaxNode): readonly [string, Term] {
  const kind = d.kind(node);
  if (kind === 'pair') return [keyText(d, d.field(node, 'key')), d.term(d.field(node, 'value'))];
  if (kind === 'method_definition') {
    const name = d.field(node, 'name');
    return [keyText(d, name), { kind: 'function', fn: functionDigest(d, node, name) }];
  }
  if (kind === 'shorthand_property_identifier') return [d.text(node), d.term(node)];
  return ['', d.term(node)];
}

function keyText(d: Digester, node: SyntaxNode): string {
  const kind = d.kind(node);
  if (kind === 'string') return d.text(node).slice(1, -1);
  return kind === 'computed_property_name' ? '' : d.text(node);
}

function functionDigest(d: Digester, node: SyntaxNode, name: SyntaxNode): DigestFunction {
  const decorators = d.takePending();
  const body = d.field(node, 'body');
  const single = d.field(node, 'parameter');
  const result = d.term(d.field(node, 'return_type'));
  const given = d.field(node, 'parameters');
  const ps = single === NO_NODE ? parameters(d, given) : [{ name: d.text(single) }];
  const isBlock = d.kind(body) === 'statement_block';
  const read = (): Step[] => [...takenApart(d, given), ...(isBlock ? d.body(body) : valueSteps(d.term(body)))];
  const b = d.bodyOf(body, read, d.text(name) === 'constructor');
  return { name: d.text(name), position: d.at(name === NO_NODE ? node : name), parameters: ps, ...decorators, ...(result === 0 ? {} : { result }), body: b };
}

function valueSteps(value: Term): Step[] {
  return value === 0 ? [] : [{ kind: 'return', value }];
}

function functionStep(d: Digester, node: SyntaxNode, steps: Step[]): void {
  steps.push({ kind: 'fn', fn: functionDigest(d, node, d.field(node, 'name')) });
}

/** A name, or names joined by dots. */
function isPath(term: Term): boolean {
  return term !== 0 && (term.kind === 'name' || (term.kind === 'member' && isPath(term.owner)));
}

/** Name of a parameter that is taken apart where it is declared, by its index; of the variable of a loop, by its position. */
const partsName = (index: number): string => `*parts${index}`;

/** The pattern of a parameter. */
function patternOf(d: Digester, node: SyntaxNode): SyntaxNode {
  const kind = d.kind(node);
  if (kind === 'assignment_pattern') return d.field(node, 'left');
  return kind === 'required_parameter' || kind === 'optional_parameter' ? d.field(node, 'pattern') : node;
}

/** `({ url, method }) => …`: variables that hold parts of parameters. */
function takenApart(d: Digester, node: SyntaxNode): Step[] {
  const steps: Step[] = [];
  for (const [index, child] of (node === NO_NODE ? [] : d.named(node)).entries()) {
    const pattern = patternOf(d, child);
    if (isTakenApart(d, pattern)) partsOfPattern(d, pattern, { kind: 'name', name: partsName(index), position: d.at(pattern) }, steps);
  }
  return steps;
}

function isTakenApart(d: Digester, pattern: SyntaxNode): boolean {
  return d.kind(pattern) === 'object_pattern' || d.kind(pattern) === 'array_pattern';
}

/** `{ path, target }`, `[path, target]` */
function partsOfPattern(d: Digester, pattern: SyntaxNode, of: Term, steps: Step[]): void {
  for (const [index, part] of d.named(pattern).entries()) {
    if (d.kind(pattern) === 'object_pattern') destructured(d, part, of, steps);
    else if (d.kind(part) === 'identifier') {
      const position = d.at(part);
      steps.push({ kind: 'let', name: d.text(part), position, value: { kind: 'member', owner: of, name: `${index}`, position } });
    } else if (isTakenApart(d, part)) partsOfPattern(d, part, { kind: 'member', owner: of, name: `${index}`, position: d.at(part) }, steps);
  }
}

function parameters(d: Digester, node: SyntaxNode): DigestParameter[] {
  return d.named(node).map((child, index) => {
    const kind = d.kind(child);
    const pattern = patternOf(d, child);
    const name = isTakenApart(d, pattern) ? partsName(index) : d.text(pattern);
    if (kind !== 'required_parameter' && kind !== 'optional_parameter') {
      return kind === 'assignment_pattern' ? { name, initial: d.term(d.field(child, 'right')) } : { name };
    }
    const decorators = d.named(child).filter(each => d.kind(each) === 'decorator');
    const type = d.term(d.field(child, 'type'));
    const value = d.term(d.field(child, 'value'));
    const found = decorators.map(each => first(d, each));
    return {
      name,
      ...(type === 0 ? {} : { type }),
      ...(value === 0 ? {} : { initial: value }),
      ...(found.length === 0 ? {} : { decorators: found }),
    };
  });
}

function classDigest(d: Digester, node: SyntaxNode): Extract<Step, { kind: 'class' }> {
  const name = d.field(node, 'name');
  const own = d.named(node).filter(child => d.kind(child) === 'decorator');
  const decorators = [...(d.takePending().decorators ?? []), ...own.map(child => first(d, child))];
  const heritage = d.child(node, 'class_heritage');
  const bases = d.named(heritage).flatMap(clause => (d.kind(clause).endsWith('_clause') ? d.named(clause).map(child => d.term(child)) : [d.term(clause)]));
  const body = d.body(d.field(node, 'body'));
  d.pending = [];
  return {
    kind: 'class',
    cls: {
      name: d.text(name),
      position: d.at(name === NO_NODE ? node : name),
      bases: bases.filter(base => base !== 0),
      ...(decorators.length === 0 ? {} : { decorators: decorators }),
      body,
    },
  };
}

function classStep(d: Digester, node: SyntaxNode, steps: Step[]): void {
  steps.push(classDigest(d, node));
}

function classTerm(d: Digester, node: SyntaxNode): Term {
  const { cls } = classDigest(d, node);
  return { kind: 'other', parts: cls.body.flatMap(step => (step.kind === 'fn' ? [{ kind: 'function', fn: step.fn } as Term] : [])) };
}

function fieldStep(d: Digester, node: SyntaxNode, steps: Step[]): void {
  const own = d.named(node).filter(child => d.kind(child) === 'decorator');
  const decorators = [...(d.takePending().decorators ?? []), ...own.map(child => first(d, child))];
  const name = d.field(node, 'name') === NO_NODE ? d.field(node, 'property') : d.field(node, 'name');
  const type = d.term(d.field(node, 'type'));
  const value = d.term(d.field(node, 'value'));
  if (type === 0 && value === 0 && decorators.length === 0) return;
  steps.push({
    kind: 'let',
    name: d.text(name),
    position: d.at(name),
    ...(type === 0 ? {} : { type }),
    ...(value === 0 ? {} : { value }),
    ...(decorators.length === 0 ? {} : { decorators: decorators }),
  });
}

function declarationStep(d: Digester, node: SyntaxNode, steps: Step[]): void {
  for (const child of d.named(node)) {
    if (d.kind(child) !== 'variable_declarator') continue;
    const name = d.field(child, 'name');
    const value = d.field(child, 'value');
    const x = d.term(value);
    const type = d.term(d.field(child, 'type'));
    if (d.kind(name) === 'identifier') {
      if (x !== 0 || type !== 0)
        steps.push({ kind: 'let', name: d.text(name), position: d.at(name), ...(type === 0 ? {} : { type }), ...(x === 0 ? {} : { value: x }) });
    } else if (d.kind(name) === 'object_pattern' && x !== 0) {
      for (const part of d.named(name)) destructured(d, part, x, steps);
    } else if (x !== 0) expressionStep(d, value, steps);
  }
}

function destructured(d: Digester, node: SyntaxNode, of: Term, steps: Step[]): void {
  const kind = d.kind(node);
  if (kind === 'shorthand_property_identifier_pattern') {
    const v = d.text(node);
    steps.push({ kind: 'let', name: v, position: d.at(node), value: { kind: 'member', owner: of, name: v, position: d.at(node) } });
  } else if (kind === 'pair_pattern') {
    const target = d.field(node, 'value');
    if (d.kind(target) !== 'identifier') return;
    const key = d.field(node, 'key');
    steps.push({ kind: 'let', name: d.text(target), position: d.at(target), value: { kind: 'member', owner: of, name: keyText(d, key), position: d.at(key) } });
  } else if (kind === 'object_assignment_pattern') {
    const left = d.field(node, 'left');
    const v = d.text(left);
    steps.push({
      kind: 'let',
      name: v,
      position: d.at(left),
      value: any([{ kind: 'member', owner: of, name: v, position: d.at(left) }, d.term(d.field(node, 'right'))]),
    });
  }
}

/** `a = b = value` gives all of them the value. */
function assignmentStep(d: Digester, node: SyntaxNode, steps: Step[]): void {
  let value = node;
  const targets: SyntaxNode[] = [];
  while (d.kind(value) === 'assignment_expression') {
    targets.push(d.field(value, 'left'));
    value = d.field(value, 'right');
  }
  const x = d.term(value);
  for (const target of targets) {
    const to = d.term(target);
    if (to === 0 || x === 0) continue;
    if (isExports(to)) steps.push({ kind: 'export', as: 'default', value: x, position: d.at(target) });
    else if (to.kind === 'member' && (isExports(to.owner) || (to.owner !== 0 && to.owner.kind === 'name' && to.owner.name === 'exports')))
      steps.push({ kind: 'export', as: to.name, value: x, position: to.position });
    else steps.push({ kind: 'set', target: to, value: x });
  }
}

function isExports(term: Term): boolean {
  return term !== 0 && term.kind === 'member' && term.name === 'exports' && term.owner !== 0 && term.owner.kind === 'name' && term.owner.name === 'module';
}

function importStep(d: Digester, node: SyntaxNode, steps: Step[]): void {
  const from = d.text(d.field(node, 'source')).slice(1, -1);
  const clause = d.child(node, 'import_clause');
  for (const child of d.named(clause)) {
    const kind = d.kind(child);
    if (kind === 'identifier') steps.push({ kind: 'import', from, name: 'default', as: d.text(child), position: d.at(child) });
    else if (kind === 'namespace_import') steps.push({ kind: 'import', from, name: '*', as: d.text(d.named(child)[0] ?? NO_NODE), position: d.at(child) });
    else if (kind === 'named_imports') {
      for (const each of d.named(child)) {
        const name = d.text(d.field(each, 'name'));
        const alias = d.field(each, 'alias');
        steps.push({ kind: 'import', from, name, as: alias === NO_NODE ? name : d.text(alias), position: d.at(each) });
      }
    }
  }
}

function exportStep(d: Digester, node: SyntaxNode, steps: Step[]): void {
  for (const child of d.named(node)) if (d.kind(child) === 'decorator') d.pending.push(first(d, child));
  const source = d.field(node, 'source');
  const declaration = d.field(node, 'declaration');
  const value = d.field(node, 'value');
  const isDefault = d.reader.children(node).some(child => d.text(child) === 'default');
  const from = source === NO_NODE ? undefined : d.text(source).slice(1, -1);
  const clause = d.child(node, 'export_clause');
  if (declaration !== NO_NODE) {
    const before = steps.length;
    d.step(declaration, steps);
    const made = steps[before];
    if (!isDefault) return;
    const name = made?.kind === 'fn' ? made.fn.name : made?.kind === 'class' ? made.cls.name : '';
    if (name !== '') steps.push({ kind: 'export', as: 'default', value: { kind: 'name', name: name, position: d.at(declaration) }, position: d.at(node) });
    else if (made?.kind === 'fn') steps.push({ kind: 'export', as: 'default', value: { kind: 'function', fn: made.fn }, position: d.at(node) });
  } else if (value !== NO_NODE) steps.push({ kind: 'export', as: 'default', value: d.term(value), position: d.at(node) });
  else if (clause !== NO_NODE) {
    for (const each of d.named(clause)) {
      const name = d.text(d.field(each, 'name'));
      const alias = d.field(each, 'alias');
      const v = alias === NO_NODE ? name : d.text(alias);
      steps.push(
        from === undefined
          ? { kind: 'export', as: v, value: { kind: 'name', name: name, position: d.at(each) }, position: d.at(each) }
          : { kind: 'export', as: v, from, name, position: d.at(each) },
      );
    }
  } else if (from !== undefined) {
    const namespace = d.child(node, 'namespace_export');
    const v = namespace === NO_NODE ? '*' : d.text(d.named(namespace)[0] ?? NO_NODE);
    steps.push({ kind: 'export', as: v, from, name: '*', position: d.at(node) });
  }
}
