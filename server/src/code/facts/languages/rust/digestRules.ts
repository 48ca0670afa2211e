/** What a digest keeps of a Rust file. */
import { type DigestFunction, type DigestParameter, type Step, type Term, wordsIn } from '../../../../model/digest';
import { NO_NODE } from '../../../parse/syntaxReader';
import type { SyntaxNode } from '../../../parse/syntaxTable';
import { assignmentStep, binaryTerm, first } from '../../digest/commonRules';
import { any, type Digester, type DigestRules, expressionStep, join, literal } from '../../digest/digester';

const SIGN =
  /\b(?:async_graphql|juniper|actix_web|actix|axum|rocket|warp|poem|salvo|tide|hyper|tonic|reqwest|ureq|surf|rdkafka|lapin|async_nats|nats|redis|sqlx|diesel|mongodb|aws_sdk_\w+|utoipa\w*|loco_rs|tower)\b|\bconst\s+[A-Z][A-Z0-9_]*\s*:\s*&|\.(?:route|service|nest|merge|configure)\(|#\[(?:get|post|put|patch|delete|route)\(|\benv::var/;

const name = (d: Digester, node: SyntaxNode): Term => ({ kind: 'name', name: d.text(node), position: d.at(node) });
const items = (d: Digester, node: SyntaxNode): Term => ({ kind: 'list', items: d.named(node).map(child => d.term(child)) });

export const RUST_DIGEST: DigestRules = {
  sign: SIGN,
  tests: /^#!\[cfg\(test\)\]/,
  terms: {
    string_literal: (d, node) => literal(d.text(node).slice(1, -1).replace(/\\(.)/g, '$1')),
    raw_string_literal: (d, node) => literal(d.text(node).replace(/^r#*"|"#*$/g, '')),
    identifier: name,
    type_identifier: name,
    self: name,
    crate: name,
    super: name,
    scoped_identifier: scoped,
    scoped_type_identifier: scoped,
    generic_type: (d, node) => ({
      kind: 'generic',
      base: d.term(d.field(node, 'type')),
      args: d.named(d.field(node, 'type_arguments')).map(child => d.term(child)),
    }),
    generic_function: (d, node) => ({
      kind: 'generic',
      base: d.term(d.field(node, 'function')),
      args: d.named(d.field(node, 'type_arguments')).map(child => d.term(child)),
    }),
    reference_type: (d, node) => d.term(d.field(node, 'type')),
    reference_expression: (d, node) => d.term(d.field(node, 'value')),
    field_expression: (d, node) => {
      const field = d.field(node, 'field');
      return { kind: 'member', owner: d.term(d.field(node, 'value')), name: d.text(field), position: d.at(field) };
    },
    call_expression: callTerm,
    try_expression: first,
    await_expression: first,
    parenthesized_expression: first,
    type_cast_expression: (d, node) => d.term(d.field(node, 'value')),
    array_expression: items,
    tuple_expression: items,
    struct_expression: (d, node) => ({
      kind: 'call',
      callee: d.term(d.field(node, 'name')),
      args: [
        {
          kind: 'object',
          entries: d.named(d.field(node, 'body')).map(child => [d.text(d.field(child, 'field')) || d.text(child), d.term(d.field(child, 'value'))] as const),
        },
      ],
      isConstruction: true,
      position: d.at(node),
    }),
    closure_expression: (d, node) => {
      const body = d.field(node, 'body');
      const parameters = d.named(d.field(node, 'parameters')).map(child => ({ name: d.text(d.field(child, 'pattern')) || d.text(child) }));
      return { kind: 'function', fn: { name: '', position: d.at(node), parameters, body: blockBody(d, body) } };
    },
    block: (d, node) => ({
      kind: 'other',
      parts: [{ kind: 'function', fn: { name: '*block', position: d.at(node), parameters: [], body: blockBody(d, node) } }],
    }),
    async_block: (d, node) => first(d, node),
    if_expression: (d, node) => any([last(d, d.field(node, 'consequence')), last(d, d.named(d.field(node, 'alternative'))[0] ?? NO_NODE)]),
    match_expression: (d, node) => any(d.named(d.field(node, 'body')).map(arm => d.term(d.field(arm, 'value')))),
    macro_invocation: macroTerm,
    binary_expression: binaryTerm('+'),
  },
  steps: {
    use_declaration: (d, node, steps) => useTree(d, d.field(node, 'argument'), '', steps),
    attribute_item: (d, node) => {
      d.pending.push(attributeTerm(d, d.named(node)[0] ?? NO_NODE));
    },
    function_item: (d, node, steps) => {
      steps.push({ kind: 'fn', fn: functionDigest(d, node) });
    },
    impl_item: (d, node, steps) => {
      const decorators = d.takePending();
      const type = d.field(node, 'type');
      const trait = d.field(node, 'trait');
      const bases = trait === NO_NODE ? [] : [d.term(trait)];
      const body = d.body(d.field(node, 'body'));
      const nameNode = d.kind(type) === 'generic_type' ? d.field(type, 'type') : type;
      steps.push({ kind: 'class', cls: { name: d.text(nameNode), position: d.at(type), bases: bases.filter(base => base !== 0), ...decorators, body } });
    },
    trait_item: (d, node, steps) => {
      const decorators = d.takePending();
      const nameNode = d.field(node, 'name');
      steps.push({
        kind: 'class',
        cls: { name: d.text(nameNode), position: d.at(nameNode), bases: [], ...decorators, body: d.body(d.field(node, 'body')), isInterface: true },
      });
    },
    struct_item: (d, node, steps) => {
      const decorators = d.takePending();
      const nameNode = d.field(node, 'name');
      const body: Step[] = [];
      for (const field of d.named(d.field(node, 'body'))) {
        const fieldName = d.field(field, 'name');
        if (fieldName !== NO_NODE) body.push({ kind: 'let', name: d.text(fieldName), position: d.at(fieldName), type: d.term(d.field(field, 'type')) });
      }
      steps.push({ kind: 'class', cls: { name: d.text(nameNode), position: d.at(nameNode), bases: [], ...decorators, body } });
    },
    enum_item: d => {
      d.takePending();
    },
    mod_item: (d, node, steps) => {
      const decorators = d.takePending();
      if (wordsIn(decorators.decorators ?? []).includes('test')) return;
      steps.push(...d.body(d.field(node, 'body')));
    },
    const_item: variable,
    static_item: variable,
    let_declaration: (d, node, steps) => {
      const pattern = d.field(node, 'pattern');
      const nameNode = d.kind(pattern) === 'identifier' ? pattern : d.child(pattern, 'identifier');
      const type = d.term(d.field(node, 'type'));
      const value = d.term(d.field(node, 'value'));
      if (value === 0 && type === 0) return;
      steps.push({
        kind: 'let',
        name: d.text(nameNode),
        position: d.at(nameNode === NO_NODE ? node : nameNode),
        ...(type === 0 ? {} : { type }),
        ...(value === 0 ? {} : { value }),
      });
    },
    expression_statement: (d, node, steps) => {
      const child = d.named(node)[0] ?? NO_NODE;
      if (d.kind(child) === 'assignment_expression') assignmentStep(d, child, steps);
      else if (d.kind(child) === 'return_expression') steps.push({ kind: 'return', value: first(d, child) });
      else if (/^(?:if|match|loop|while|for)_expression$|^block$/.test(d.kind(child))) for (const each of d.named(child)) d.step(each, steps);
      else expressionStep(d, child, steps);
    },
    block: (d, node, steps) => {
      steps.push(...d.body(node));
    },
  },
};

function scoped(d: Digester, node: SyntaxNode): Term {
  const nameNode = d.field(node, 'name');
  const path = d.field(node, 'path');
  return path === NO_NODE
    ? name(d, nameNode)
    : {
        kind: 'member',
        owner: d.kind(path) === 'generic_type' ? d.term(d.field(path, 'type')) : d.term(path),
        name: d.text(nameNode),
        position: d.at(nameNode),
      };
}

function variable(d: Digester, node: SyntaxNode, steps: Step[]): void {
  d.takePending();
  const nameNode = d.field(node, 'name');
  const value = d.term(d.field(node, 'value'));
  if (value !== 0) steps.push({ kind: 'let', name: d.text(nameNode), position: d.at(nameNode), value });
}

/** The value of a block is that of its last expression. */
function blockBody(d: Digester, node: SyntaxNode): Step[] {
  if (d.kind(node) !== 'block') {
    const value = d.term(node);
    return value === 0 ? [] : [{ kind: 'return', value }];
  }
  const steps: Step[] = [];
  const children = d.named(node);
  for (const [index, child] of children.entries()) {
    const kind = d.kind(child);
    const isValue = index === children.length - 1 && !/_statement$|_item$|_declaration$/.test(kind);
    const x = isValue ? d.term(child) : 0;
    if (isValue && x !== 0) steps.push({ kind: 'return', value: x });
    else if (!isValue) d.step(child, steps);
  }
  return steps;
}

function last(d: Digester, node: SyntaxNode): Term {
  const steps = blockBody(d, node);
  const end = steps.at(-1);
  return end?.kind === 'return' ? end.value : 0;
}

function callTerm(d: Digester, node: SyntaxNode): Term {
  const callee = d.field(node, 'function');
  const args = d.named(d.field(node, 'arguments')).map(child => d.term(child));
  const base = d.kind(callee) === 'generic_function' ? d.field(callee, 'function') : callee;
  const kind = d.kind(base);
  const at = kind === 'field_expression' ? d.field(base, 'field') : kind === 'scoped_identifier' ? d.field(base, 'name') : base;
  return { kind: 'call', callee: d.term(callee), args, position: d.at(at) };
}

/** A macro gets its tokens read as texts, names and paths. */
function macroTerm(d: Digester, node: SyntaxNode): Term {
  const macro = d.field(node, 'macro');
  const callee = d.term(macro);
  const tokens = d.child(node, 'token_tree');
  const args = tokenTerms(d, tokens);
  if (d.text(macro) === 'format' && args[0] !== undefined && args[0] !== 0 && args[0].kind === 'text') return formatted(args[0].text, args.slice(1));
  return { kind: 'call', callee, args, position: d.at(macro) };
}

function formatted(text: string, values: readonly Term[]): Term {
  const parts = text.split(/\{([^{}]*)\}/);
  let next = 0;
  return join(
    parts.map((part, index): Term => {
      if (index % 2 === 0) return literal(part);
      const word = part.replace(/:.*/, '');
      return word === '' ? (values[next++] ?? { kind: 'name', name: '*', position: 0 }) : { kind: 'name', name: word, position: 0 };
    }),
  );
}

/** What stands in a token tree, taken apart at commas. */
function tokenTerms(d: Digester, node: SyntaxNode): Term[] {
  const found: Term[] = [];
  let current = 0 as Term;
  let joins = false;
  for (const child of d.reader.children(node)) {
    const text = d.text(child);
    if (/^[([{)\]}]$/.test(text)) continue;
    if (text === ',' || text === ';' || text === '=>') {
      if (current !== 0) found.push(current);
      current = 0;
    } else if (text !== '::' && text !== '.') current = withToken(d, current, child, joins);
    joins = text === '::' || text === '.';
  }
  if (current !== 0) found.push(current);
  return found;
}

const NAMES = /^(?:identifier|self|crate|super|type_identifier|primitive_type|metavariable)$/;

/** A term with one more token: a part of a path, arguments, a value behind `=`. */
function withToken(d: Digester, current: Term, node: SyntaxNode, joins: boolean): Term {
  const kind = d.kind(node);
  const v = d.text(node);
  if (v === '=') return current !== 0 && (current.kind === 'name' || current.kind === 'member') ? { kind: 'named', name: current.name, value: 0 } : 0;
  if (kind === 'token_tree' && current !== 0 && current.kind !== 'named')
    return { kind: 'call', callee: current, args: tokenTerms(d, node), position: d.at(node) };
  if (NAMES.test(kind) && joins && current !== 0) return { kind: 'member', owner: current, name: v, position: d.at(node) };
  const value = tokenValue(d, node);
  if (value === undefined) return current;
  return current !== 0 && current.kind === 'named' ? { ...current, value } : value;
}

function tokenValue(d: Digester, node: SyntaxNode): Term | undefined {
  const kind = d.kind(node);
  if (kind === 'string_literal' || kind === 'raw_string_literal') return d.term(node);
  if (kind === 'token_tree') return { kind: 'list', items: tokenTerms(d, node) };
  return NAMES.test(kind) ? { kind: 'name', name: d.text(node), position: d.at(node) } : undefined;
}

function attributeTerm(d: Digester, node: SyntaxNode): Term {
  const path = d.named(node)[0] ?? NO_NODE;
  const callee = d.term(path);
  const value = d.field(node, 'value');
  const tokens = d.field(node, 'arguments');
  const args = tokens === NO_NODE ? (value === NO_NODE ? [] : [d.term(value)]) : tokenTerms(d, tokens);
  return { kind: 'call', callee, args, position: d.at(path) };
}

function useTree(d: Digester, node: SyntaxNode, prefix: string, steps: Step[]): void {
  const kind = d.kind(node);
  const under = (path: string): string => (prefix === '' ? path : path === '' ? prefix : `${prefix}::${path}`);
  if (kind === 'use_as_clause') {
    const full = under(d.text(d.field(node, 'path')));
    importOf(full, d.text(d.field(node, 'alias')), d.at(node), steps);
  } else if (kind === 'use_list') for (const child of d.named(node)) useTree(d, child, prefix, steps);
  else if (kind === 'scoped_use_list') useTree(d, d.field(node, 'list'), under(d.text(d.field(node, 'path'))), steps);
  else if (kind === 'use_wildcard') steps.push({ kind: 'import', from: under(d.text(d.named(node)[0] ?? NO_NODE)), name: '*', as: '', position: d.at(node) });
  else if (kind === 'self') importOf(prefix, prefix.slice(prefix.lastIndexOf('::') + (prefix.includes('::') ? 2 : 1)) || prefix, d.at(node), steps);
  else importOf(under(d.text(node)), '', d.at(node), steps);
}

function importOf(full: string, alias: string, position: number, steps: Step[]): void {
  const at = full.lastIndexOf('::');
  const name = at < 0 ? full : full.slice(at + 2);
  steps.push({ kind: 'import', from: at < 0 ? '' : full.slice(0, at), name, as: alias === '' ? name : alias, position });
}

function functionDigest(d: Digester, node: SyntaxNode): DigestFunction {
  const decorators = d.takePending();
  const nameNode = d.field(node, 'name');
  const result = d.term(d.field(node, 'return_type'));
  return {
    name: d.text(nameNode),
    position: d.at(nameNode),
    parameters: parameters(d, d.field(node, 'parameters')),
    ...decorators,
    ...(result === 0 ? {} : { result }),
    body: d.bodyOf(d.field(node, 'body'), () => blockBody(d, d.field(node, 'body'))),
  };
}

function parameters(d: Digester, node: SyntaxNode): DigestParameter[] {
  return d.named(node).flatMap(child => {
    if (d.kind(child) !== 'parameter') return [];
    const type = d.term(d.field(child, 'type'));
    const pattern = d.field(child, 'pattern');
    const nameNode = d.kind(pattern) === 'identifier' ? pattern : d.child(pattern, 'identifier');
    return [{ name: d.text(nameNode === NO_NODE ? pattern : nameNode), ...(type === 0 ? {} : { type }) }];
  });
}
