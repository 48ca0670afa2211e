/** What a digest keeps of a PHP file. Variables keep their `$`. */
import type { DigestFunction, DigestParameter, Step, Term } from '../../../../model/digest';
import { NO_NODE } from '../../../parse/syntaxReader';
import { type SyntaxNode, syntaxNode } from '../../../parse/syntaxTable';
import { assignmentStep, binaryTerm, first, returnStep } from '../../digest/commonRules';
import { any, type Digester, type DigestRules, expressionStep, join, literal } from '../../digest/digester';

const SIGN =
  /\b(?:Illuminate|Laravel|Lumen|Symfony|Slim|FOS\\RestBundle|GuzzleHttp|Guzzle|PhpAmqpLib|RdKafka|Enqueue|Predis|HttpClientInterface|curl_init|AppFactory|RouteCollectorProxy)\b|\bRoute::|\$(?:app|router|routes?|group)->(?:get|post|put|patch|delete|map|any|group|add|resource)\(|@(?:Rest\\)?(?:Route|Get|Post|Put|Patch|Delete)\(|#\[(?:\\?[\w\\]*\\)?(?:Route|Get|Post|Put|Patch|Delete)\(|\bconst\s+\w+\s*=\s*['"]|\bHttp::/;

const name = (d: Digester, node: SyntaxNode): Term => ({ kind: 'name', name: d.text(node), position: d.at(node) });
/** Names of classes with their namespaces, joined with dots as everywhere. */
const qualified = (d: Digester, node: SyntaxNode): Term => (d.text(node).includes('\\') ? absolute(d, node) : name(d, node));

export const PHP_DIGEST: DigestRules = {
  sign: SIGN,
  tests: /\bextends\s+\\?(?:[\w\\]*\\)?(?:TestCase|WebTestCase|KernelTestCase|ApiTestCase)\b|^use\s+PHPUnit\\/m,
  package: d => d.text(d.field(d.child(syntaxNode(0), 'namespace_definition'), 'name')).replaceAll('\\', '.'),
  terms: {
    string: textTerm,
    encapsed_string: textTerm,
    heredoc: () => 0,
    name,
    qualified_name: qualified,
    namespace_name: qualified,
    relative_scope: (d, node) => ({ kind: 'name', name: 'self', position: d.at(node) }),
    variable_name: (d, node) => (d.text(node) === '$this' ? { kind: 'name', name: 'this', position: d.at(node) } : name(d, node)),
    named_type: first,
    optional_type: first,
    primitive_type: () => 0,
    union_type: first,
    boolean: () => 0,
    class_constant_access_expression: (d, node) => {
      const [object = NO_NODE, member = NO_NODE] = d.named(node);
      return d.text(member) === 'class' ? d.term(object) : { kind: 'member', owner: d.term(object), name: d.text(member), position: d.at(member) };
    },
    member_access_expression: memberTerm,
    nullsafe_member_access_expression: memberTerm,
    scoped_property_access_expression: (d, node) => {
      const member = d.field(node, 'name');
      return { kind: 'member', owner: d.term(d.field(node, 'scope')), name: d.text(member).replace('$', ''), position: d.at(member) };
    },
    subscript_expression: (d, node) => {
      const [object = NO_NODE, key = NO_NODE] = d.named(node);
      const of = d.term(object);
      const at = d.term(key);
      return at !== 0 && at.kind === 'text' ? { kind: 'member', owner: of, name: at.text, position: d.at(key) } : of;
    },
    function_call_expression: (d, node) => {
      const callee = d.field(node, 'function');
      const args = argumentsOf(d, d.field(node, 'arguments'));
      if (d.text(callee) === 'sprintf') return formatted(args);
      if (d.text(callee) === 'dirname' || d.text(callee) === 'rtrim' || d.text(callee) === 'trim') return args[0] ?? 0;
      return { kind: 'call', callee: d.term(callee), args, position: d.at(callee) };
    },
    member_call_expression: methodCall,
    nullsafe_member_call_expression: methodCall,
    scoped_call_expression: (d, node) => {
      const member = d.field(node, 'name');
      const position = d.at(member);
      return {
        kind: 'call',
        callee: { kind: 'member', owner: d.term(d.field(node, 'scope')), name: d.text(member), position },
        args: argumentsOf(d, d.field(node, 'arguments')),
        position,
      };
    },
    object_creation_expression: (d, node) => {
      const type = d.child(node, 'name', 'qualified_name');
      return { kind: 'call', callee: d.term(type), args: argumentsOf(d, d.child(node, 'arguments')), isConstruction: true, position: d.at(type) };
    },
    array_creation_expression: (d, node) => {
      const entries = d.named(node).filter(child => d.kind(child) === 'array_element_initializer');
      const isMap = entries.some(child => d.named(child).length === 2);
      if (!isMap) return { kind: 'list', items: entries.map(child => first(d, child)) };
      return {
        kind: 'object',
        entries: entries.map(child => {
          const [key = NO_NODE, value = NO_NODE] = d.named(child);
          const at = d.term(key);
          return value === NO_NODE ? (['', at] as const) : ([at !== 0 && at.kind === 'text' ? at.text : '', d.term(value)] as const);
        }),
      };
    },
    anonymous_function: functionTerm,
    anonymous_function_creation_expression: functionTerm,
    arrow_function: functionTerm,
    parenthesized_expression: first,
    cast_expression: (d, node) => d.term(d.field(node, 'value')),
    assignment_expression: (d, node) => d.term(d.field(node, 'right')),
    conditional_expression: (d, node) => {
      const yes = d.field(node, 'body');
      return any([d.term(yes === NO_NODE ? d.field(node, 'condition') : yes), d.term(d.field(node, 'alternative'))]);
    },
    include_expression: included,
    include_once_expression: included,
    require_expression: included,
    require_once_expression: included,
    binary_expression: binaryTerm('.', '??'),
  },
  steps: {
    namespace_definition: (d, node, steps) => {
      steps.push(...d.body(d.field(node, 'body')));
    },
    namespace_use_declaration: (d, node, steps) => {
      const prefix = d.text(d.child(node, 'namespace_name'));
      const clauses = d.named(d.field(node, 'body') === NO_NODE ? node : d.field(node, 'body'));
      for (const clause of clauses) {
        if (d.kind(clause) !== 'namespace_use_clause') continue;
        const alias = d.field(clause, 'alias');
        const path = d.named(clause).find(child => child !== alias) ?? NO_NODE;
        const full = `${prefix === '' ? '' : `${prefix}\\`}${d.text(path)}`.replace(/^\\/, '').split('\\');
        const own = full.at(-1) ?? '';
        steps.push({ kind: 'import', from: full.slice(0, -1).join('.'), name: own, as: alias === NO_NODE ? own : d.text(alias), position: d.at(path) });
      }
    },
    const_declaration: (d, node, steps) => {
      for (const element of d.named(node)) {
        if (d.kind(element) !== 'const_element') continue;
        const [nameNode = NO_NODE, value = NO_NODE] = d.named(element);
        steps.push({ kind: 'let', name: d.text(nameNode), position: d.at(nameNode), value: d.term(value) });
      }
    },
    property_declaration: (d, node, steps) => {
      const type = d.term(d.field(node, 'type'));
      for (const element of d.named(node)) {
        if (d.kind(element) !== 'property_element') continue;
        const [nameNode = NO_NODE, value = NO_NODE] = d.named(element);
        const inner = d.kind(value) === 'property_initializer' ? (d.named(value)[0] ?? NO_NODE) : value;
        const x = d.term(inner);
        steps.push({
          kind: 'let',
          name: d.text(nameNode).replace('$', ''),
          position: d.at(nameNode),
          ...(type === 0 ? {} : { type }),
          ...(x === 0 ? {} : { value: x }),
        });
      }
    },
    class_declaration: classStep,
    interface_declaration: classStep,
    trait_declaration: classStep,
    method_declaration: functionStep,
    function_definition: functionStep,
    expression_statement: (d, node, steps) => {
      const child = d.named(node)[0] ?? NO_NODE;
      if (d.kind(child) === 'assignment_expression') assignmentStep(d, child, steps);
      else expressionStep(d, child, steps);
    },
    return_statement: returnStep,
  },
};

function absolute(d: Digester, node: SyntaxNode): Term {
  const full = d.text(node);
  const lead = full.startsWith('\\') ? 1 : 0;
  const parts = full.slice(lead).split('\\');
  const position = d.at(node) + lead;
  let offset = (parts[0] ?? '').length + 1;
  let term: Term = { kind: 'name', name: parts[0] ?? '', position };
  for (const part of parts.slice(1)) {
    term = { kind: 'member', owner: term, name: part, position: position + offset };
    offset += part.length + 1;
  }
  return term;
}

function textTerm(d: Digester, node: SyntaxNode): Term {
  const parts = d.named(node).flatMap((child): Term[] => {
    const kind = d.kind(child);
    if (kind === 'string_content' || kind === 'string_value') return [literal(d.text(child).replace(/\\(['"\\$])/g, '$1'))];
    if (kind === 'escape_sequence') return [literal(d.text(child).slice(1))];
    return [d.term(child) || { kind: 'name', name: '*', position: 0 }];
  });
  return parts.length === 0 ? literal('') : join(parts);
}

function memberTerm(d: Digester, node: SyntaxNode): Term {
  const member = d.field(node, 'name');
  return { kind: 'member', owner: d.term(d.field(node, 'object')), name: d.text(member), position: d.at(member) };
}

function methodCall(d: Digester, node: SyntaxNode): Term {
  const member = d.field(node, 'name');
  const position = d.at(member);
  return {
    kind: 'call',
    callee: { kind: 'member', owner: d.term(d.field(node, 'object')), name: d.text(member), position },
    args: argumentsOf(d, d.field(node, 'arguments')),
    position,
  };
}

/** `require __DIR__ . '/routes.php'` as a call of `require`. */
function included(d: Digester, node: SyntaxNode): Term {
  return { kind: 'call', callee: { kind: 'name', name: 'require', position: d.at(node) }, args: [first(d, node)], position: d.at(node) };
}

function argumentsOf(d: Digester, node: SyntaxNode): Term[] {
  return d
    .named(node)
    .filter(child => d.kind(child) === 'argument')
    .map(child => {
      const nameNode = d.field(child, 'name');
      const value = d.named(child).findLast(each => each !== nameNode) ?? NO_NODE;
      return nameNode === NO_NODE ? d.term(value) : { kind: 'named', name: d.text(nameNode), value: d.term(value) };
    });
}

function formatted([text, ...values]: readonly Term[]): Term {
  if (text === undefined || text === 0 || text.kind !== 'text') return 0;
  return join(
    text.text
      .split(/%[sdu]/)
      .flatMap((part, index) => (index === 0 ? [literal(part)] : [values[index - 1] || ({ kind: 'name', name: '*', position: 0 } as Term), literal(part)])),
  );
}

/** What a closure takes with it (`use ($router)`) stands behind its parameters, with what it is outside as default. */
function functionTerm(d: Digester, node: SyntaxNode): Term {
  const taken = d.named(d.child(node, 'anonymous_function_use_clause')).map(child => ({ name: d.text(child).replace('&', ''), initial: name(d, child) }));
  return {
    kind: 'function',
    fn: { name: '', position: d.at(node), parameters: [...parameters(d, d.field(node, 'parameters')), ...taken], body: bodyOf(d, d.field(node, 'body')) },
  };
}

/** A block, or an expression that is the result. */
function bodyOf(d: Digester, body: SyntaxNode): Step[] {
  if (d.kind(body) === 'compound_statement') return d.body(body);
  const value = d.term(body);
  return value === 0 ? [] : [{ kind: 'return', value }];
}

function functionStep(d: Digester, node: SyntaxNode, steps: Step[]): void {
  const nameNode = d.field(node, 'name');
  const isConstructor = d.text(nameNode) === '__construct';
  const result = d.term(d.field(node, 'return_type'));
  const body = d.field(node, 'body');
  const fn: DigestFunction = {
    name: isConstructor ? 'constructor' : d.text(nameNode),
    position: d.at(nameNode),
    parameters: parameters(d, d.field(node, 'parameters')),
    ...attributes(d, node),
    ...(result === 0 ? {} : { result }),
    body: d.bodyOf(body, () => d.body(body), isConstructor),
  };
  steps.push({ kind: 'fn', fn });
}

function classStep(d: Digester, node: SyntaxNode, steps: Step[]): void {
  const nameNode = d.field(node, 'name');
  const bases = [d.child(node, 'base_clause'), d.child(node, 'class_interface_clause')].flatMap(clause => d.named(clause).map(child => d.term(child)));
  const body = d.field(node, 'body');
  const b = d.body(body);
  const isInterface = d.kind(node) === 'interface_declaration';
  steps.push({
    kind: 'class',
    cls: { name: d.text(nameNode), position: d.at(nameNode), bases, ...attributes(d, node), body: b, ...(isInterface ? { isInterface: true } : {}) },
  });
}

/** Attributes, and annotations in the comment in front. */
function attributes(d: Digester, node: SyntaxNode): { readonly decorators?: readonly Term[] } {
  const found = d
    .named(d.field(node, 'attributes'))
    .flatMap(group => d.named(group))
    .map((child): Term => {
      const [nameNode = NO_NODE] = d.named(child);
      return { kind: 'call', callee: d.term(nameNode), args: argumentsOf(d, d.field(child, 'parameters')), position: d.at(nameNode) };
    });
  found.push(...annotations(d, node));
  return found.length === 0 ? {} : { decorators: found };
}

const ANNOTATION = /@(?:\w+\\)*(Route|Get|Post|Put|Patch|Delete|Prefix)\(([^)]*(?:\([^)]*\)[^)]*)*)\)/g;
const COMMENT = /\/\*\*(?:[^*]|\*(?!\/))*\*\/\s*$/;
/** Longer comments are not looked into. */
const MAX_COMMENT = 4_000;

/** `@Route("/x", methods={"GET"})` in the comment that ends in front of a declaration. */
function annotations(d: Digester, node: SyntaxNode): Term[] {
  const start = d.reader.start(node);
  const before = d.source.slice(Math.max(0, start - MAX_COMMENT), start);
  const comment = before.trimEnd().endsWith('*/') ? COMMENT.exec(before)?.[0] : undefined;
  if (comment === undefined || !comment.includes('@')) return [];
  const position = d.at(node);
  return [...comment.matchAll(ANNOTATION)].map(([, word = '', inside = '']): Term => {
    const methods = /\bmethods\s*=\s*(?:\{([^}]*)\}|("[^"]*"))/.exec(inside);
    const path = /(?:^\s*|\b(?:path|value)\s*=\s*)"([^"]*)"/.exec(inside)?.[1];
    const args: Term[] = path === undefined ? [] : [literal(path)];
    if (methods !== null)
      args.push({
        kind: 'named',
        name: 'methods',
        value: { kind: 'list', items: [...(methods[1] ?? methods[2] ?? '').matchAll(/\w+/g)].map(([each]) => literal(each)) },
      });
    return { kind: 'call', callee: { kind: 'name', name: word, position: 0 }, args, position };
  });
}

function parameters(d: Digester, node: SyntaxNode): DigestParameter[] {
  return d
    .named(node)
    .filter(child => d.kind(child).endsWith('parameter'))
    .map(child => {
      const type = d.term(d.field(child, 'type'));
      const value = d.term(d.field(child, 'default_value'));
      const isProperty = d.kind(child) === 'property_promotion_parameter';
      const v = d.text(d.field(child, 'name'));
      return { name: isProperty ? v.replace('$', '') : v, ...(type === 0 ? {} : { type }), ...(value === 0 ? {} : { initial: value }) };
    });
}
