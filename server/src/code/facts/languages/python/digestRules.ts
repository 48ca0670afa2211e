/** What a digest keeps of a Python file. */
import type { DigestFunction, DigestParameter, Step, Term } from '../../../../model/digest';
import { NO_NODE } from '../../../parse/syntaxReader';
import type { SyntaxNode } from '../../../parse/syntaxTable';
import { returnStep } from '../../digest/commonRules';
import { any, type Digester, type DigestRules, expressionStep, inside, join, literal } from '../../digest/digester';

const SIGN =
  /\b(?:flask|fastapi|starlette|django|rest_framework|aiohttp|sanic|bottle|tornado|falcon|quart|litestar|requests|httpx|urllib|aiokafka|kafka|confluent_kafka|pika|aio_pika|kombu|celery|pydantic|pydantic_settings|nats|redis|boto3|grpc|sqlalchemy|pymongo|motor|psycopg2?|asyncpg|google\.cloud|dapr|faststream|socketio)\b|@[\w.]+\.(?:route|get|post|put|patch|delete|task|websocket)\(|^[A-Z][A-Z0-9_]{2,} *(?::[^=\n]+)?= *["'fo]|\burlpatterns\b|add_url_rule|add_api_route|\.Blueprint\(|\.(?:delay|apply_async)\(|\bos\.(?:environ|getenv)/m;

export const PYTHON_DIGEST: DigestRules = {
  sign: SIGN,
  tests: /\b(?:import|from) (?:pytest|unittest)\b|^(?:async )?def test_\w+\(/m,
  terms: {
    string: textTerm,
    concatenated_string: (d, node) => join(d.named(node).map(child => d.term(child))),
    identifier: (d, node) => ({ k: 'n', v: d.text(node), p: d.at(node) }),
    true: () => ({ k: 'n', v: 'True', p: 0 }),
    attribute: (d, node) => {
      const name = d.field(node, 'attribute');
      return { k: 'm', of: d.term(d.field(node, 'object')), v: d.text(name), p: d.at(name) };
    },
    call: callTerm,
    keyword_argument: (d, node) => ({ k: '=', v: d.text(d.field(node, 'name')), of: d.term(d.field(node, 'value')) }),
    list: (d, node) => ({ k: 'l', of: d.named(node).map(child => d.term(child)) }),
    tuple: (d, node) => ({ k: 'l', of: d.named(node).map(child => d.term(child)) }),
    set: (d, node) => ({ k: 'l', of: d.named(node).map(child => d.term(child)) }),
    expression_list: (d, node) => ({ k: 'l', of: d.named(node).map(child => d.term(child)) }),
    dictionary: (d, node) => ({ k: 'o', of: d.named(node).map(child => pair(d, child)) }),
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
      if (operator !== '%') return inside(d, node);
      const right = d.term(d.field(node, 'right'));
      return formatted(left, right !== 0 && right.k === 'l' ? right.of : [right]);
    },
    subscript: (d, node) => {
      const of = d.term(d.field(node, 'value'));
      const key = d.term(d.field(node, 'subscript'));
      if (key !== 0 && key.k === 's') return { k: 'm', of, v: key.v, p: d.at(d.field(node, 'subscript')) };
      return of === 0 ? 0 : { k: '<', of, a: [key] };
    },
    generic_type: (d, node) => ({ k: '<', of: d.term(d.named(node)[0] ?? NO_NODE), a: d.named(d.child(node, 'type_parameter')).map(child => d.term(child)) }),
    lambda: (d, node) => ({
      k: 'f',
      fn: { v: '', p: d.at(node), ps: parameters(d, d.field(node, 'parameters')), b: [{ s: 'return', x: d.term(d.field(node, 'body')) }] },
    }),
  },
  steps: {
    import_statement: (d, node, steps) => {
      for (const child of d.named(node)) {
        const isAliased = d.kind(child) === 'aliased_import';
        const from = d.text(isAliased ? d.field(child, 'name') : child);
        const as = isAliased ? d.text(d.field(child, 'alias')) : (from.split('.')[0] ?? '');
        steps.push({ s: 'import', from: isAliased ? from : as, name: '*', as, p: d.at(child) });
      }
    },
    import_from_statement: (d, node, steps) => {
      const module = d.field(node, 'module_name');
      const from = d.text(module);
      for (const child of d.named(node)) {
        if (child === module) continue;
        const kind = d.kind(child);
        if (kind === 'wildcard_import') steps.push({ s: 'import', from, name: '*', as: '', p: d.at(child) });
        else if (kind === 'aliased_import')
          steps.push({ s: 'import', from, name: d.text(d.field(child, 'name')), as: d.text(d.field(child, 'alias')), p: d.at(child) });
        else if (kind === 'dotted_name') steps.push({ s: 'import', from, name: d.text(child), as: d.text(child), p: d.at(child) });
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
      const r = d.term(d.field(node, 'return_type'));
      const fn: DigestFunction = {
        v: d.text(name),
        p: d.at(name),
        ps: parameters(d, d.field(node, 'parameters')),
        ...decorators,
        ...(r === 0 ? {} : { r }),
        b: d.bodyOf(d.field(node, 'body'), undefined, d.text(name) === '__init__'),
      };
      steps.push({ s: 'fn', fn });
    },
    class_definition: (d, node, steps) => {
      const name = d.field(node, 'name');
      const decorators = d.takePending();
      const bases = d.named(d.field(node, 'superclasses')).map(child => d.term(child));
      steps.push({ s: 'class', c: { v: d.text(name), p: d.at(name), bases, ...decorators, b: d.body(d.field(node, 'body')) } });
    },
    assignment: assignmentStep,
    augmented_assignment: (d, node, steps) => {
      const left = d.term(d.field(node, 'left'));
      const x = d.term(d.field(node, 'right'));
      if (x !== 0 && left !== 0) steps.push(left.k === 'n' ? { s: 'let', v: left.v, p: left.p, x } : { s: 'set', to: left, x });
    },
    return_statement: returnStep,
    with_item: (d, node, steps) => {
      const value = d.field(node, 'value');
      if (d.kind(value) !== 'as_pattern') return expressionStep(d, value, steps);
      const [source = NO_NODE, target = NO_NODE] = d.named(value);
      const name = d.named(target)[0] ?? target;
      steps.push({ s: 'let', v: d.text(name), p: d.at(name), x: d.term(source) });
    },
    for_statement: (d, node, steps) => {
      const left = d.field(node, 'left');
      const x = d.term(d.field(node, 'right'));
      if (d.kind(left) === 'identifier' && x !== 0)
        steps.push({ s: 'let', v: d.text(left), p: d.at(left), x: { k: '<', of: { k: 'n', v: '*each', p: 0 }, a: [x] } });
      steps.push(...d.body(d.field(node, 'body')));
    },
  },
};

function assignmentStep(d: Digester, node: SyntaxNode, steps: Step[]): void {
  const left = d.field(node, 'left');
  const x = d.term(d.field(node, 'right'));
  const t = d.term(d.field(node, 'type'));
  if (d.kind(left) === 'identifier') {
    if (x !== 0 || t !== 0) steps.push({ s: 'let', v: d.text(left), p: d.at(left), ...(t === 0 ? {} : { t }), ...(x === 0 ? {} : { x }) });
    return;
  }
  const to = d.term(left);
  if (to !== 0 && (x !== 0 || t !== 0)) steps.push({ s: 'set', to, x: x === 0 ? { k: '<', of: { k: 'n', v: '*typed', p: 0 }, a: [t] } : x });
}

function callTerm(d: Digester, node: SyntaxNode): Term {
  const f = d.field(node, 'function');
  const args = d.field(node, 'arguments');
  const a = d.kind(args) === 'argument_list' ? d.named(args).map(child => d.term(child)) : [d.term(args)];
  const callee = d.term(f);
  const name = d.kind(f) === 'attribute' ? d.field(f, 'attribute') : f;
  if (callee !== 0 && callee.k === 'm' && callee.v === 'format' && callee.of !== 0 && callee.of.k === 's') return formatted(callee.of, a);
  return { k: 'call', f: callee, a, p: d.at(name) };
}

/** A text whose places are filled later. */
function formatted(text: Term, values: readonly Term[]): Term {
  if (text === 0 || text.k !== 's') return text;
  const parts = text.v.split(/%[sd]|\{(\w*)\}/);
  const positional = values.filter(value => value === 0 || value.k !== '=');
  let next = 0;
  return join(
    parts.map((part, index): Term => {
      if (index % 2 === 0) return literal(part);
      const hole: Term = { k: 'n', v: part || '*', p: 0 };
      const named = values.find(value => value !== 0 && value.k === '=' && value.v === part);
      if (named !== undefined && named !== 0 && named.k === '=') return named.of || hole;
      return positional[/^\d+$/.test(part) ? Number(part) : next++] || hole;
    }),
  );
}

function pair(d: Digester, node: SyntaxNode): readonly [string, Term] {
  if (d.kind(node) !== 'pair') return ['', d.term(node)];
  const key = d.term(d.field(node, 'key'));
  return [key !== 0 && key.k === 's' ? key.v : '', d.term(d.field(node, 'value'))];
}

function textTerm(d: Digester, node: SyntaxNode): Term {
  const parts: Term[] = [];
  for (const child of d.named(node)) {
    const kind = d.kind(child);
    if (kind === 'string_content') parts.push(literal(d.text(child)));
    else if (kind === 'interpolation') parts.push(d.term(d.field(child, 'expression')) || { k: 'n', v: '*', p: 0 });
  }
  return parts.length === 0 ? literal('') : join(parts);
}

function parameters(d: Digester, node: SyntaxNode): DigestParameter[] {
  const found: DigestParameter[] = [];
  for (const child of d.named(node)) {
    const kind = d.kind(child);
    if (kind === 'identifier') found.push({ v: d.text(child) });
    else if (kind === 'typed_parameter') found.push({ v: d.text(d.named(child)[0] ?? NO_NODE), t: d.term(d.field(child, 'type')) });
    else if (kind === 'default_parameter' || kind === 'typed_default_parameter') {
      const t = d.term(d.field(child, 'type'));
      found.push({ v: d.text(d.field(child, 'name')), ...(t === 0 ? {} : { t }), x: d.term(d.field(child, 'value')) });
    }
  }
  return found;
}
