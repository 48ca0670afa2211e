/** What a digest keeps of a TypeScript or JavaScript file. */
import type { DigestFunction, DigestParameter, Step, Term } from '../../../../model/digest';
import { NO_NODE } from '../../../parse/syntaxReader';
import type { SyntaxNode } from '../../../parse/syntaxTable';
import { binaryTerm, first, returnStep } from '../../digest/commonRules';
import { any, type Digester, type DigestRules, expressionStep, join, literal } from '../../digest/digester';

const SIGN =
  /\b(?:express|koa|fastify|hono|hapi|restify|nestjs|polka|elysia|axios|ky|got|undici|superagent|node-fetch|kafkajs|amqplib|amqp|nats|redis|ioredis|bull|bullmq|rhea|mongodb|mongoose|grpc|@aws-sdk|aws-sdk|@google-cloud|@dapr|@azure|prisma|typeorm|sequelize|pg|mysql2?|request|request-promise)\b['"`/]|\bfetch\(|\.(?:get|post|put|patch|delete|del|all|use|route|register|listen|openapi|routes|mount)\(|@(?:Controller|Get|Post|Put|Patch|Delete|All|EventPattern|MessagePattern|GrpcMethod)\b|export\s+(?:default\s+)?(?:async\s+)?(?:function|const)\s+(?:GET|POST|PUT|PATCH|DELETE|handler|default)\b|process\.env|\b(?:const|readonly|static)\s+[A-Z][A-Z0-9_]{2,}\b|\bexport\s+(?:\*|\{[^}]*\})\s+from\b|\bmodule\.exports\b|\bexport\s+default\b|\bexport\s+enum\b/;

const functionOf = (d: Digester, node: SyntaxNode): Term => ({ k: 'f', fn: functionDigest(d, node, d.field(node, 'name')) });
const items = (d: Digester, node: SyntaxNode): Term => ({ k: 'l', of: d.named(node).map(child => d.term(child)) });

export const TYPESCRIPT_DIGEST: DigestRules = {
  sign: SIGN,
  tests: /\b(?:describe|it|test)(?:\.\w+)?\(\s*['"`]|\bfrom ['"](?:vitest|@jest\/globals|node:test|mocha)['"]/,
  terms: {
    string: (d, node) => literal(unescape(d.text(node).slice(1, -1))),
    template_string: templateTerm,
    identifier: (d, node) => ({ k: 'n', v: d.text(node), p: d.at(node) }),
    this: (d, node) => ({ k: 'n', v: 'this', p: d.at(node) }),
    shorthand_property_identifier: (d, node) => ({ k: 'n', v: d.text(node), p: d.at(node) }),
    type_identifier: (d, node) => ({ k: 'n', v: d.text(node), p: d.at(node) }),
    nested_type_identifier: (d, node) => {
      const name = d.field(node, 'name');
      return { k: 'm', of: d.term(d.field(node, 'module')), v: d.text(name), p: d.at(name) };
    },
    predefined_type: () => 0,
    false: () => ({ k: 'n', v: 'false', p: 0 }),
    member_expression: (d, node) => {
      const name = d.field(node, 'property');
      return { k: 'm', of: d.term(d.field(node, 'object')), v: d.text(name), p: d.at(name) };
    },
    subscript_expression: (d, node) => {
      const of = d.term(d.field(node, 'object'));
      const key = d.term(d.field(node, 'index'));
      return key !== 0 && key.k === 's' ? { k: 'm', of, v: key.v, p: d.at(d.field(node, 'index')) } : 0;
    },
    call_expression: callTerm,
    new_expression: (d, node) => {
      const f = d.field(node, 'constructor');
      return { k: 'call', f: d.term(f), a: args(d, d.field(node, 'arguments')), n: 1, p: d.at(nameNode(d, f)) };
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
    object: (d, node) => ({ k: 'o', of: d.named(node).map(child => member(d, child)) }),
    generic_type: (d, node) => ({ k: '<', of: d.term(d.field(node, 'name')), a: d.named(d.field(node, 'type_arguments')).map(child => d.term(child)) }),
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
      steps.push({ s: 'let', v: d.text(name), p: d.at(name), x: { k: 'o', of } });
    },
    expression_statement: (d, node, steps) => {
      const child = d.named(node)[0] ?? NO_NODE;
      if (d.kind(child) === 'assignment_expression') assignmentStep(d, child, steps);
      else expressionStep(d, child, steps);
    },
    return_statement: returnStep,
    for_in_statement: (d, node, steps) => {
      const name = d.field(node, 'left');
      const x = d.term(d.field(node, 'right'));
      if (d.kind(name) === 'identifier' && x !== 0)
        steps.push({ s: 'let', v: d.text(name), p: d.at(name), x: { k: '<', of: { k: 'n', v: '*each', p: 0 }, a: [x] } });
      d.step(d.field(node, 'body'), steps);
    },
    // Members of classes.
    method_definition: (d, node, steps) => {
      const name = d.field(node, 'name');
      steps.push({ s: 'fn', fn: functionDigest(d, node, name) });
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
    else if (d.kind(child) === 'template_substitution') parts.push(d.term(d.named(child)[0] ?? NO_NODE) || { k: 'n', v: '*', p: 0 });
  }
  return parts.length === 0 ? literal(d.text(node).slice(1, -1)) : join(parts);
}

function nameNode(d: Digester, node: SyntaxNode): SyntaxNode {
  return d.kind(node) === 'member_expression' ? d.field(node, 'property') : node;
}

function args(d: Digester, node: SyntaxNode): Term[] {
  return node === NO_NODE || d.kind(node) === 'template_string' ? [] : d.named(node).map(child => d.term(child));
}

function callTerm(d: Digester, node: SyntaxNode): Term {
  const f = d.field(node, 'function');
  const types = d.field(node, 'type_arguments');
  const callee = d.term(f);
  const target: Term = types === NO_NODE ? callee : { k: '<', of: callee, a: d.named(types).map(child => d.term(child)) };
  return { k: 'call', f: target, a: args(d, d.field(node, 'arguments')), p: d.at(nameNode(d, f)) };
}

function member(d: Digester, node: SyntaxNode): readonly [string, Term] {
  const kind = d.kind(node);
  if (kind === 'pair') return [keyText(d, d.field(node, 'key')), d.term(d.field(node, 'value'))];
  if (kind === 'method_definition') {
    const name = d.field(node, 'name');
    return [keyText(d, name), { k: 'f', fn: functionDigest(d, node, name) }];
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
  const r = d.term(d.field(node, 'return_type'));
  const ps = single === NO_NODE ? parameters(d, d.field(node, 'parameters')) : [{ v: d.text(single) }];
  const isBlock = d.kind(body) === 'statement_block';
  const b = d.bodyOf(body, () => (isBlock ? d.body(body) : valueSteps(d.term(body))), d.text(name) === 'constructor');
  return { v: d.text(name), p: d.at(name === NO_NODE ? node : name), ps, ...decorators, ...(r === 0 ? {} : { r }), b };
}

function valueSteps(x: Term): Step[] {
  return x === 0 ? [] : [{ s: 'return', x }];
}

function functionStep(d: Digester, node: SyntaxNode, steps: Step[]): void {
  steps.push({ s: 'fn', fn: functionDigest(d, node, d.field(node, 'name')) });
}

function parameters(d: Digester, node: SyntaxNode): DigestParameter[] {
  return d.named(node).map(child => {
    const kind = d.kind(child);
    if (kind !== 'required_parameter' && kind !== 'optional_parameter') {
      if (kind === 'assignment_pattern') return { v: d.text(d.field(child, 'left')), x: d.term(d.field(child, 'right')) };
      return { v: kind === 'object_pattern' ? d.text(child) : d.text(child) };
    }
    const decorators = d.named(child).filter(each => d.kind(each) === 'decorator');
    const t = d.term(d.field(child, 'type'));
    const x = d.term(d.field(child, 'value'));
    const found = decorators.map(each => first(d, each));
    return {
      v: d.text(d.field(child, 'pattern')),
      ...(t === 0 ? {} : { t }),
      ...(x === 0 ? {} : { x }),
      ...(found.length === 0 ? {} : { d: found }),
    };
  });
}

function classDigest(d: Digester, node: SyntaxNode): Extract<Step, { s: 'class' }> {
  const name = d.field(node, 'name');
  const own = d.named(node).filter(child => d.kind(child) === 'decorator');
  const decorators = [...(d.takePending().d ?? []), ...own.map(child => first(d, child))];
  const heritage = d.child(node, 'class_heritage');
  const bases = d.named(heritage).flatMap(clause => (d.kind(clause).endsWith('_clause') ? d.named(clause).map(child => d.term(child)) : [d.term(clause)]));
  const b = d.body(d.field(node, 'body'));
  d.pending = [];
  return {
    s: 'class',
    c: {
      v: d.text(name),
      p: d.at(name === NO_NODE ? node : name),
      bases: bases.filter(base => base !== 0),
      ...(decorators.length === 0 ? {} : { d: decorators }),
      b,
    },
  };
}

function classStep(d: Digester, node: SyntaxNode, steps: Step[]): void {
  steps.push(classDigest(d, node));
}

function classTerm(d: Digester, node: SyntaxNode): Term {
  const { c } = classDigest(d, node);
  return { k: '?', of: c.b.flatMap(step => (step.s === 'fn' ? [{ k: 'f', fn: step.fn } as Term] : [])) };
}

function fieldStep(d: Digester, node: SyntaxNode, steps: Step[]): void {
  const own = d.named(node).filter(child => d.kind(child) === 'decorator');
  const decorators = [...(d.takePending().d ?? []), ...own.map(child => first(d, child))];
  const name = d.field(node, 'name') === NO_NODE ? d.field(node, 'property') : d.field(node, 'name');
  const t = d.term(d.field(node, 'type'));
  const x = d.term(d.field(node, 'value'));
  if (t === 0 && x === 0 && decorators.length === 0) return;
  steps.push({
    s: 'let',
    v: d.text(name),
    p: d.at(name),
    ...(t === 0 ? {} : { t }),
    ...(x === 0 ? {} : { x }),
    ...(decorators.length === 0 ? {} : { d: decorators }),
  });
}

function declarationStep(d: Digester, node: SyntaxNode, steps: Step[]): void {
  for (const child of d.named(node)) {
    if (d.kind(child) !== 'variable_declarator') continue;
    const name = d.field(child, 'name');
    const value = d.field(child, 'value');
    const x = d.term(value);
    const t = d.term(d.field(child, 'type'));
    if (d.kind(name) === 'identifier') {
      if (x !== 0 || t !== 0) steps.push({ s: 'let', v: d.text(name), p: d.at(name), ...(t === 0 ? {} : { t }), ...(x === 0 ? {} : { x }) });
    } else if (d.kind(name) === 'object_pattern' && x !== 0) {
      for (const part of d.named(name)) destructured(d, part, x, steps);
    } else if (x !== 0) expressionStep(d, value, steps);
  }
}

function destructured(d: Digester, node: SyntaxNode, of: Term, steps: Step[]): void {
  const kind = d.kind(node);
  if (kind === 'shorthand_property_identifier_pattern') {
    const v = d.text(node);
    steps.push({ s: 'let', v, p: d.at(node), x: { k: 'm', of, v, p: d.at(node) } });
  } else if (kind === 'pair_pattern') {
    const target = d.field(node, 'value');
    if (d.kind(target) !== 'identifier') return;
    const key = d.field(node, 'key');
    steps.push({ s: 'let', v: d.text(target), p: d.at(target), x: { k: 'm', of, v: keyText(d, key), p: d.at(key) } });
  } else if (kind === 'object_assignment_pattern') {
    const left = d.field(node, 'left');
    const v = d.text(left);
    steps.push({ s: 'let', v, p: d.at(left), x: any([{ k: 'm', of, v, p: d.at(left) }, d.term(d.field(node, 'right'))]) });
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
    if (isExports(to)) steps.push({ s: 'export', v: 'default', x, p: d.at(target) });
    else if (to.k === 'm' && (isExports(to.of) || (to.of !== 0 && to.of.k === 'n' && to.of.v === 'exports'))) steps.push({ s: 'export', v: to.v, x, p: to.p });
    else steps.push({ s: 'set', to, x });
  }
}

function isExports(term: Term): boolean {
  return term !== 0 && term.k === 'm' && term.v === 'exports' && term.of !== 0 && term.of.k === 'n' && term.of.v === 'module';
}

function importStep(d: Digester, node: SyntaxNode, steps: Step[]): void {
  const from = d.text(d.field(node, 'source')).slice(1, -1);
  const clause = d.child(node, 'import_clause');
  for (const child of d.named(clause)) {
    const kind = d.kind(child);
    if (kind === 'identifier') steps.push({ s: 'import', from, name: 'default', as: d.text(child), p: d.at(child) });
    else if (kind === 'namespace_import') steps.push({ s: 'import', from, name: '*', as: d.text(d.named(child)[0] ?? NO_NODE), p: d.at(child) });
    else if (kind === 'named_imports') {
      for (const each of d.named(child)) {
        const name = d.text(d.field(each, 'name'));
        const alias = d.field(each, 'alias');
        steps.push({ s: 'import', from, name, as: alias === NO_NODE ? name : d.text(alias), p: d.at(each) });
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
    const name = made?.s === 'fn' ? made.fn.v : made?.s === 'class' ? made.c.v : '';
    if (name !== '') steps.push({ s: 'export', v: 'default', x: { k: 'n', v: name, p: d.at(declaration) }, p: d.at(node) });
    else if (made?.s === 'fn') steps.push({ s: 'export', v: 'default', x: { k: 'f', fn: made.fn }, p: d.at(node) });
  } else if (value !== NO_NODE) steps.push({ s: 'export', v: 'default', x: d.term(value), p: d.at(node) });
  else if (clause !== NO_NODE) {
    for (const each of d.named(clause)) {
      const name = d.text(d.field(each, 'name'));
      const alias = d.field(each, 'alias');
      const v = alias === NO_NODE ? name : d.text(alias);
      steps.push(from === undefined ? { s: 'export', v, x: { k: 'n', v: name, p: d.at(each) }, p: d.at(each) } : { s: 'export', v, from, name, p: d.at(each) });
    }
  } else if (from !== undefined) {
    const namespace = d.child(node, 'namespace_export');
    const v = namespace === NO_NODE ? '*' : d.text(d.named(namespace)[0] ?? NO_NODE);
    steps.push({ s: 'export', v, from, name: '*', p: d.at(node) });
  }
}
