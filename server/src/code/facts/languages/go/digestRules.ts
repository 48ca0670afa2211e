/** What a digest keeps of a Go file. */
import type { DigestFunction, DigestParameter, Step, Term } from '../../../../model/digest';
import { NO_NODE } from '../../../parse/syntaxReader';
import { type SyntaxNode, syntaxNode } from '../../../parse/syntaxTable';
import { binaryTerm, first } from '../../digest/commonRules';
import { type Digester, type DigestRules, expressionStep, inside, literal } from '../../digest/digester';

const SIGN =
  /"net\/http"|gqlgen|graphql|gin-gonic|labstack\/echo|go-chi|gofiber|gorilla\/|julienschmidt|go-kit|go-micro|go-zero|grpc|sarama|kafka|amqp|nats|redis|aws-sdk|pubsub|resty|fasthttp|dapr|gorm|database\/sql|pgx|mongo|sqlx|watermill|\bconst\s*\(|\bconst\s+\w+\s*=?\s*"|\bpackage main\b|\breturn func\(\w+ \*\w+\) \{|os\.Getenv|os\.LookupEnv|\b[A-Z]\w*\s*=\s*"|\.(?:GET|POST|PUT|PATCH|DELETE|HandleFunc|Handle|Get|Post|Put|Delete|Group|Route|Mount|\w*(?:Mount|Rout|Handl)\w*)\(/;

const list = (d: Digester, node: SyntaxNode): Term => ({ kind: 'list', items: d.named(node).map(child => d.term(child)) });
const name = (d: Digester, node: SyntaxNode): Term => ({ kind: 'name', name: d.text(node), position: d.at(node) });

export const GO_DIGEST: DigestRules = {
  sign: SIGN,
  tests: /(?:^|[\t ])"testing"$/m,
  package: d => {
    const clause = d.child(syntaxNode(0), 'package_clause');
    return d.text(d.named(clause)[0] ?? NO_NODE);
  },
  terms: {
    interpreted_string_literal: (d, node) => literal(d.text(node).slice(1, -1).replace(/\\(.)/g, '$1')),
    raw_string_literal: (d, node) => literal(d.text(node).slice(1, -1)),
    identifier: name,
    type_identifier: name,
    package_identifier: name,
    selector_expression: (d, node) => {
      const field = d.field(node, 'field');
      return { kind: 'member', owner: d.term(d.field(node, 'operand')), name: d.text(field), position: d.at(field) };
    },
    qualified_type: (d, node) => {
      const field = d.field(node, 'name');
      return { kind: 'member', owner: d.term(d.field(node, 'package')), name: d.text(field), position: d.at(field) };
    },
    pointer_type: first,
    generic_type: (d, node) => ({
      kind: 'generic',
      base: d.term(d.field(node, 'type')),
      args: d.named(d.field(node, 'type_arguments')).map(child => d.term(child)),
    }),
    type_elem: first,
    slice_type: (d, node) => ({ kind: 'generic', base: { kind: 'name', name: '*slice', position: 0 }, args: [d.term(d.field(node, 'element'))] }),
    map_type: (d, node) => ({ kind: 'generic', base: { kind: 'name', name: '*map', position: 0 }, args: [d.term(d.field(node, 'value'))] }),
    unary_expression: (d, node) => d.term(d.field(node, 'operand')),
    parenthesized_expression: first,
    type_assertion_expression: (d, node) => d.term(d.field(node, 'operand')),
    type_conversion_expression: (d, node) => d.term(d.field(node, 'operand')),
    literal_element: first,
    expression_list: list,
    call_expression: callTerm,
    func_literal: (d, node) => ({ kind: 'function', fn: functionDigest(d, node, NO_NODE) }),
    composite_literal: compositeTerm,
    literal_value: (d, node) => literalValue(d, node),
    index_expression: inside,
    binary_expression: binaryTerm('+'),
  },
  steps: {
    package_clause: () => undefined,
    import_spec: (d, node, steps) => {
      const from = d.text(d.field(node, 'path')).slice(1, -1);
      const alias = d.text(d.field(node, 'name'));
      if (alias === '_') return;
      steps.push({ kind: 'import', from, name: '*', as: alias === '.' ? '' : alias === '' ? packageName(from) : alias, position: d.at(node) });
    },
    const_spec: variables,
    var_spec: variables,
    short_var_declaration: (d, node, steps) => assign(d, d.field(node, 'left'), d.field(node, 'right'), steps),
    assignment_statement: (d, node, steps) => assign(d, d.field(node, 'left'), d.field(node, 'right'), steps),
    function_declaration: (d, node, steps) => {
      steps.push({ kind: 'fn', fn: functionDigest(d, node, d.field(node, 'name')) });
    },
    method_declaration: (d, node, steps) => {
      const receiver = d.child(d.field(node, 'receiver'), 'parameter_declaration');
      const fn = functionDigest(d, node, d.field(node, 'name'));
      steps.push({ kind: 'fn', fn: { ...fn, owner: d.term(d.field(receiver, 'type')), self: d.text(d.field(receiver, 'name')) } });
    },
    type_spec: (d, node, steps) => {
      const nameNode = d.field(node, 'name');
      const type = d.field(node, 'type');
      const kind = d.kind(type);
      if (kind === 'slice_type' || kind === 'map_type')
        steps.push({ kind: 'class', cls: { name: d.text(nameNode), position: d.at(nameNode), bases: [d.term(type)], body: [] } });
      if (kind !== 'struct_type' && kind !== 'interface_type') return;
      const body: Step[] = [];
      const bases: Term[] = [];
      for (const field of d.named(d.child(type, 'field_declaration_list'))) {
        const t = d.term(d.field(field, 'type'));
        const names = d.fields(field, 'name');
        if (names.length === 0 && t !== 0) bases.push(t);
        for (const each of names) if (t !== 0) body.push({ kind: 'let', name: d.text(each), position: d.at(each), type: t });
      }
      steps.push({
        kind: 'class',
        cls: { name: d.text(nameNode), position: d.at(nameNode), bases, body, ...(kind === 'interface_type' ? { isInterface: true } : {}) },
      });
    },
    return_statement: (d, node, steps) => {
      const values = d.named(d.named(node)[0] ?? NO_NODE);
      const terms = values.map(value => d.term(value));
      const [x = 0] = terms;
      if (terms.some(term => term !== 0)) steps.push({ kind: 'return', value: x });
      for (const term of terms.slice(1)) if (term !== 0 && term.kind === 'call') steps.push({ kind: 'do', value: term });
    },
    go_statement: expressionOf,
    defer_statement: expressionOf,
    range_clause: (d, node, steps) => {
      const [key, value] = d.named(d.field(node, 'left'));
      const x = d.term(d.field(node, 'right'));
      if (key === undefined || x === 0) return;
      const each = value ?? key;
      steps.push({
        kind: 'let',
        name: d.text(each),
        position: d.at(each),
        value: { kind: 'generic', base: { kind: 'name', name: '*each', position: 0 }, args: [x] },
      });
    },
  },
};

function expressionOf(d: Digester, node: SyntaxNode, steps: Step[]): void {
  for (const child of d.named(node)) expressionStep(d, child, steps);
}

/** `…/echo/v4` and `gopkg.in/yaml.v3` are called `echo` and `yaml`. */
function packageName(path: string): string {
  const parts = path.split('/');
  const last = parts.at(-1) ?? path;
  const named = /^v\d+$/.test(last) ? (parts.at(-2) ?? last) : last;
  return named
    .replace(/\.v\d+$/, '')
    .replace(/^go-|-go$/, '')
    .replace(/-/g, '_');
}

function variables(d: Digester, node: SyntaxNode, steps: Step[]): void {
  const names = d.fields(node, 'name').filter(each => d.kind(each) === 'identifier');
  const values = d.named(d.field(node, 'value'));
  const type = d.term(d.field(node, 'type'));
  for (const [index, each] of names.entries()) {
    const value = d.term(values[index] ?? NO_NODE);
    if (value !== 0 || type !== 0)
      steps.push({ kind: 'let', name: d.text(each), position: d.at(each), ...(type === 0 ? {} : { type }), ...(value === 0 ? {} : { value }) });
  }
}

function assign(d: Digester, left: SyntaxNode, right: SyntaxNode, steps: Step[]): void {
  const targets = d.named(left);
  const values = d.named(right);
  const terms = values.map(value => d.term(value));
  for (const [index, target] of targets.entries()) {
    const x = terms[index] ?? (index === 0 || values.length > 1 ? 0 : 0);
    if (x === 0) continue;
    if (d.kind(target) === 'identifier') {
      if (d.text(target) === '_') steps.push({ kind: 'do', value: x });
      else steps.push({ kind: 'let', name: d.text(target), position: d.at(target), value: x });
    } else {
      const to = d.term(target);
      if (to !== 0) steps.push({ kind: 'set', target: to, value: x });
    }
  }
}

function callTerm(d: Digester, node: SyntaxNode): Term {
  const f = d.field(node, 'function');
  const args = d.named(d.field(node, 'arguments')).map(child => d.term(child));
  const callee = d.term(f);
  const at = d.kind(f) === 'selector_expression' ? d.field(f, 'field') : f;
  return { kind: 'call', callee: callee, args, position: d.at(at) };
}

function compositeTerm(d: Digester, node: SyntaxNode): Term {
  const typeNode = d.field(node, 'type');
  const type = d.term(typeNode);
  const body = literalValue(d, d.field(node, 'body'));
  if (body !== 0 && body.kind === 'list' && d.kind(typeNode) === 'slice_type')
    return { kind: 'list', items: body.items.map(itemOf(d, d.field(typeNode, 'element'))) };
  if (body !== 0 && body.kind === 'object' && d.kind(typeNode) === 'map_type') {
    const typed = itemOf(d, d.field(typeNode, 'value'));
    return { kind: 'object', entries: body.entries.map(([key, value]) => [key, typed(value)] as const) };
  }
  return type === 0 || (type.kind === 'generic' && body !== 0 && body.kind === 'list')
    ? body
    : { kind: 'call', callee: type, args: [body], isConstruction: true, position: d.at(node) };
}

/** An item of a list that leaves out its type: `[]Route{{"GET", "/orders"}}`; of a type without a name, with the names of its fields. */
function itemOf(d: Digester, node: SyntaxNode): (item: Term) => Term {
  const type = d.kind(node) === 'struct_type' ? 0 : d.term(node);
  const fields = d.named(d.child(node, 'field_declaration_list')).flatMap(field => d.fields(field, 'name').map(each => d.text(each)));
  return item => {
    if (item === 0 || (item.kind !== 'list' && item.kind !== 'object')) return item;
    if (type !== 0) return { kind: 'call', callee: type, args: [item], isConstruction: true, position: 0 };
    return item.kind === 'list' && fields.length > 0 ? { kind: 'object', entries: item.items.map((value, at) => [fields[at] ?? '', value] as const) } : item;
  };
}

function literalValue(d: Digester, node: SyntaxNode): Term {
  const children = d.named(node);
  if (children.some(child => d.kind(child) === 'keyed_element')) {
    return {
      kind: 'object',
      entries: children.map(child => {
        const [key = NO_NODE, value = NO_NODE] = d.named(child);
        const word = d.text(key);
        return [word.startsWith('"') ? word.slice(1, -1) : word, d.term(value)] as const;
      }),
    };
  }
  return { kind: 'list', items: children.map(child => d.term(child)) };
}

function functionDigest(d: Digester, node: SyntaxNode, nameNode: SyntaxNode): DigestFunction {
  const r = d.field(node, 'result');
  const result = d.kind(r) === 'parameter_list' ? d.term(d.field(d.named(r)[0] ?? NO_NODE, 'type')) : d.term(r);
  return {
    name: d.text(nameNode),
    position: d.at(nameNode === NO_NODE ? node : nameNode),
    parameters: parameters(d, d.field(node, 'parameters')),
    ...(result === 0 ? {} : { result: result }),
    // `newOrders(group)` sets the fields of what it makes.
    body: d.bodyOf(d.field(node, 'body'), undefined, /^[Nn]ew/.test(d.text(nameNode))),
  };
}

function parameters(d: Digester, node: SyntaxNode): DigestParameter[] {
  return d.named(node).flatMap(child => {
    const type = d.term(d.field(child, 'type'));
    const names = d.fields(child, 'name');
    const typed = type === 0 ? {} : { type };
    return names.length === 0 ? [{ name: '', ...typed }] : names.map(each => ({ name: d.text(each), ...typed }));
  });
}
