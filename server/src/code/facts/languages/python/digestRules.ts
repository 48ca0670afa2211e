/** What a digest keeps of a Python file. */
import type { DigestFunction, DigestParameter, Step, Term } from '../../../../model/digest';
import { NO_NODE } from '../../../parse/syntaxReader';
import type { SyntaxNode } from '../../../parse/syntaxTable';
import { returnStep } from '../../digest/commonRules';
import { any, type Digester, type DigestRules, expressionStep, inside, join, literal } from '../../digest/digester';

const SIGN =
  /\b(?:flask_\w+|graphene\w*|strawberry\w*|ariadne|graphql|gql|flask|fastapi|starlette|django|rest_framework|aiohttp|sanic|bottle|tornado|falcon|quart|litestar|requests|httpx|urllib|aiokafka|kafka|confluent_kafka|pika|aio_pika|kombu|celery|pydantic|pydantic_settings|nats|redis|boto3|grpc|sqlalchemy|pymongo|motor|psycopg2?|asyncpg|google\.cloud|azure\.servicebus|dapr|faststream|nameko|socketio)\b|@[\w.]+\.(?:route|get|post|put|patch|delete|task|websocket)\(|^[A-Z][A-Z0-9_]{2,} *(?::[^=\n]+)?= *["'fo]|\burlpatterns\b|add_url_rule|add_api_route|\.(?:include_router|register_blueprint)\(|\.Blueprint\(|\.(?:delay|apply_async)\(|\bos\.(?:environ|getenv)/m;

export const PYTHON_DIGEST: DigestRules = {
  sign: SIGN,
  // A decorated function may be a route for tests.
  tests: /\b(?:import|from) (?:pytest|unittest)\b|^\n(?:async )?def test_\w+\(/m,
  terms: {
    string: textTerm,
    concatenated_string: (d, node) => join(d.named(node).map(child => d.term(child))),
    identifier: (d, node) => ({ kind: 'name', name: d.text(node), position: d.at(node) }),
    true: () => ({ kind: 'name', name: 'True', position: 0 }),
    attribute: (d, node) => {
      const name = d.field(node, 'attribute');
      return { kind: 'member', owner: d.term(d.field(node, 'object')), name: d.text(name), position: d.at(name) };
    },
    call: callTerm,
    keyword_argument: (d, node) => {
      const value = d.field(node, 'value');
      // `version=1`
      const given: Term = d.kind(value) === 'integer' ? literal(d.text(value)) : d.term(value);
      return { kind: 'named', name: d.text(d.field(node, 'name')), value: given };
    },
    list: (d, node) => ({ kind: 'list', items: d.named(node).map(child => d.term(child)) }),
    tuple: (d, node) => ({ kind: 'list', items: d.named(node).map(child => d.term(child)) }),
    set: (d, node) => ({ kind: 'list', items: d.named(node).map(child => d.term(child)) }),
    expression_list: (d, node) => ({ kind: 'list', items: d.named(node).map(child => d.term(child)) }),
    dictionary: (d, node) => ({ kind: 'object', entries: d.named(node).map(child => pair(d, child)) }),
    parenthesized_expression: (d, node) => d.term(d.named(node)[0] ?? NO_NODE),
    await: (d, node) => d.term(d.named(node)[0] ?? NO_NODE),
    list_splat: (d, node) => d.term(d.named(node)[0] ?? NO_NODE),
    dictionary_splat: (d, node) => d.term(d.named(node)[0] ?? NO_NODE),
    type: (d, node) => d.term(d.named(node)[0] ?? NO_NODE),
    conditional_expression: (d, node) => {
      const [yes = NO_NODE, , no = NO_NODE] = d.named(node);
      return any([d.term(yes), d.term(no)]);
    },
    boolean_operator: (d, node) => any([d.term(d.field(node, 'left')), d.term(d.field(node, 'right'))]),
    binary_operator: (d, node) => {
      const operator = d.text(d.field(node, 'operator'));
      const left = d.term(d.field(node, 'left'));
      if (operator === '+') return join([left, d.term(d.field(node, 'right'))]);
      // `Session | None`
      if (operator === '|') return any([left, d.term(d.field(node, 'right'))]);
      if (operator !== '%') return inside(d, node);
      const right = d.term(d.field(node, 'right'));
      return formatted(left, right !== 0 && right.kind === 'list' ? right.items : [right]);
    },
    subscript: (d, node) => {
      const of = d.term(d.field(node, 'value'));
      const key = d.term(d.field(node, 'subscript'));
      if (key !== 0 && key.kind === 'text') return { kind: 'member', owner: of, name: key.text, position: d.at(d.field(node, 'subscript')) };
      return of === 0 ? 0 : { kind: 'generic', base: of, args: [key] };
    },
    generic_type: (d, node) => {
      const base = d.term(d.named(node)[0] ?? NO_NODE);
      const args = d.named(d.child(node, 'type_parameter')).map(child => d.term(child));
      // `Optional[Session]`, `Annotated[Session, Depends(open)]`
      return base !== 0 && base.kind === 'name' && /^(?:Optional|Annotated)$/.test(base.name) ? (args[0] ?? 0) : { kind: 'generic', base, args };
    },
    lambda: (d, node) => ({
      kind: 'function',
      fn: {
        name: '',
        position: d.at(node),
        parameters: parameters(d, d.field(node, 'parameters')),
        body: [{ kind: 'return', value: d.term(d.field(node, 'body')) }],
      },
    }),
  },
  steps: {
    import_statement: (d, node, steps) => {
      for (const child of d.named(node)) {
        const isAliased = d.kind(child) === 'aliased_import';
        const from = d.text(isAliased ? d.field(child, 'name') : child);
        const as = isAliased ? d.text(d.field(child, 'alias')) : (from.split('.')[0] ?? '');
        steps.push({ kind: 'import', from: isAliased ? from : as, name: '*', as, position: d.at(child) });
      }
    },
    import_from_statement: (d, node, steps) => {
      const module = d.field(node, 'module_name');
      const from = d.text(module);
      for (const child of d.named(node)) {
        if (child === module) continue;
        const kind = d.kind(child);
        if (kind === 'wildcard_import') steps.push({ kind: 'import', from, name: '*', as: '', position: d.at(child) });
        else if (kind === 'aliased_import')
          steps.push({ kind: 'import', from, name: d.text(d.field(child, 'name')), as: d.text(d.field(child, 'alias')), position: d.at(child) });
        else if (kind === 'dotted_name') steps.push({ kind: 'import', from, name: d.text(child), as: d.text(child), position: d.at(child) });
      }
    },
    decorated_definition: (d, node, steps) => {
      const decorators = d.named(node).filter(child => d.kind(child) === 'decorator');
      d.pending = decorators.map(child => d.term(d.named(child)[0] ?? NO_NODE));
      d.step(d.field(node, 'definition'), steps);
    },
    function_definition: (d, node, steps) => {
      const name = d.field(node, 'name');
      const decorators = d.takePending();
      const result = d.term(d.field(node, 'return_type'));
      const fn: DigestFunction = {
        name: d.text(name),
        position: d.at(name),
        parameters: parameters(d, d.field(node, 'parameters')),
        ...decorators,
        ...(result === 0 ? {} : { result }),
        body: d.bodyOf(d.field(node, 'body'), undefined, d.text(name) === '__init__'),
      };
      steps.push({ kind: 'fn', fn });
    },
    class_definition: (d, node, steps) => {
      const name = d.field(node, 'name');
      const decorators = d.takePending();
      const bases = d.named(d.field(node, 'superclasses')).map(child => d.term(child));
      steps.push({ kind: 'class', cls: { name: d.text(name), position: d.at(name), bases, ...decorators, body: d.body(d.field(node, 'body')) } });
    },
    assignment: assignmentStep,
    augmented_assignment: (d, node, steps) => {
      const left = d.term(d.field(node, 'left'));
      const value = d.term(d.field(node, 'right'));
      if (value !== 0 && left !== 0)
        steps.push(left.kind === 'name' ? { kind: 'let', name: left.name, position: left.position, value } : { kind: 'set', target: left, value });
    },
    return_statement: returnStep,
    with_item: (d, node, steps) => {
      const value = d.field(node, 'value');
      if (d.kind(value) !== 'as_pattern') return expressionStep(d, value, steps);
      const [source = NO_NODE, target = NO_NODE] = d.named(value);
      const name = d.named(target)[0] ?? target;
      steps.push({ kind: 'let', name: d.text(name), position: d.at(name), value: d.term(source) });
    },
    for_statement: (d, node, steps) => {
      const left = d.field(node, 'left');
      const value = d.term(d.field(node, 'right'));
      const isPattern = d.kind(left) === 'pattern_list' || d.kind(left) === 'tuple_pattern';
      if ((isPattern || d.kind(left) === 'identifier') && value !== 0) {
        const held = isPattern ? `*parts${d.at(left)}` : d.text(left);
        const each: Term = { kind: 'generic', base: { kind: 'name', name: '*each', position: 0 }, args: [value] };
        steps.push({ kind: 'let', name: held, position: d.at(left), value: each });
        if (isPattern) partsOfPattern(d, left, { kind: 'name', name: held, position: d.at(left) }, steps);
      }
      steps.push(...d.body(d.field(node, 'body')));
    },
  },
};

/** `for path, target in …` */
function partsOfPattern(d: Digester, pattern: SyntaxNode, owner: Term, steps: Step[]): void {
  for (const [index, part] of d.named(pattern).entries()) {
    const position = d.at(part);
    if (d.kind(part) === 'identifier') steps.push({ kind: 'let', name: d.text(part), position, value: { kind: 'member', owner, name: `${index}`, position } });
  }
}

function assignmentStep(d: Digester, node: SyntaxNode, steps: Step[]): void {
  const left = d.field(node, 'left');
  const value = d.term(d.field(node, 'right'));
  const type = d.term(d.field(node, 'type'));
  if (d.kind(left) === 'identifier') {
    if (value !== 0 || type !== 0)
      steps.push({ kind: 'let', name: d.text(left), position: d.at(left), ...(type === 0 ? {} : { type }), ...(value === 0 ? {} : { value }) });
    return;
  }
  const to = d.term(left);
  if (to !== 0 && (value !== 0 || type !== 0))
    steps.push({
      kind: 'set',
      target: to,
      value: value === 0 ? { kind: 'generic', base: { kind: 'name', name: '*typed', position: 0 }, args: [type] } : value,
    });
}

function callTerm(d: Digester, node: SyntaxNode): Term {
  const f = d.field(node, 'function');
  const args = d.field(node, 'arguments');
  const a = d.kind(args) === 'argument_list' ? d.named(args).map(child => d.term(child)) : [d.term(args)];
  const callee = d.term(f);
  const name = d.kind(f) === 'attribute' ? d.field(f, 'attribute') : f;
  if (callee !== 0 && callee.kind === 'member' && callee.name === 'format' && callee.owner !== 0 && callee.owner.kind === 'text')
    return formatted(callee.owner, a);
  return { kind: 'call', callee: callee, args: a, position: d.at(name) };
}

/** A text whose places are filled later. */
function formatted(text: Term, values: readonly Term[]): Term {
  if (text === 0 || text.kind !== 'text') return text;
  const parts = text.text.split(/%[sd]|\{(\w*)\}/);
  const positional = values.filter(value => value === 0 || value.kind !== 'named');
  let next = 0;
  return join(
    parts.map((part, index): Term => {
      if (index % 2 === 0) return literal(part);
      const hole: Term = { kind: 'name', name: part || '*', position: 0 };
      const named = values.find(value => value !== 0 && value.kind === 'named' && value.name === part);
      if (named !== undefined && named !== 0 && named.kind === 'named') return named.value || hole;
      return positional[/^\d+$/.test(part) ? Number(part) : next++] || hole;
    }),
  );
}

function pair(d: Digester, node: SyntaxNode): readonly [string, Term] {
  if (d.kind(node) !== 'pair') return ['', d.term(node)];
  const key = d.term(d.field(node, 'key'));
  return [key !== 0 && key.kind === 'text' ? key.text : '', d.term(d.field(node, 'value'))];
}

function textTerm(d: Digester, node: SyntaxNode): Term {
  const parts: Term[] = [];
  for (const child of d.named(node)) {
    const kind = d.kind(child);
    if (kind === 'string_content') parts.push(literal(d.text(child)));
    else if (kind === 'interpolation') parts.push(d.term(d.field(child, 'expression')) || { kind: 'name', name: '*', position: 0 });
  }
  return parts.length === 0 ? literal('') : join(parts);
}

function parameters(d: Digester, node: SyntaxNode): DigestParameter[] {
  const found: DigestParameter[] = [];
  for (const child of d.named(node)) {
    const kind = d.kind(child);
    if (kind === 'identifier') found.push({ name: d.text(child) });
    else if (kind === 'typed_parameter') found.push({ name: d.text(d.named(child)[0] ?? NO_NODE), type: d.term(d.field(child, 'type')) });
    else if (kind === 'default_parameter' || kind === 'typed_default_parameter') {
      const type = d.term(d.field(child, 'type'));
      found.push({ name: d.text(d.field(child, 'name')), ...(type === 0 ? {} : { type }), initial: d.term(d.field(child, 'value')) });
    }
  }
  return found;
}
