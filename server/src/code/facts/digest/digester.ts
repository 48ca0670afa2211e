/**
 * From a syntax table to a digest (`model/digest`), driven by the rules of a language.
 *
 * It knows no language: rules say by the kind of a node what it is. What no rule names has its children visited: as a statement they are steps,
 * as an expression the calls among them are kept. Total on any tree; depth and number of terms are bounded.
 */

import { isGraphQlDocument, shortGraphQl } from '../../../base/graphQlText';
import { maskKnown } from '../../../base/secretText';
import { LineIndex } from '../../../base/text';
import { digestPosition, type Step, type Term } from '../../../model/digest';
import { textOfDigest } from '../../../model/digestText';
import { NO_NODE, SyntaxReader } from '../../parse/syntaxReader';
import { type GrammarNames, type SyntaxNode, type SyntaxTable, syntaxNode } from '../../parse/syntaxTable';

export type TermRule = (digester: Digester, node: SyntaxNode) => Term;
export type StepRule = (digester: Digester, node: SyntaxNode, steps: Step[]) => void;

/** What a language's nodes are in a digest, by name of their kind. */
export interface DigestRules {
  /** Whether a text shows anything worth a digest. Must be linear. */
  readonly sign: RegExp;
  /** What only files of tests say: they have no digest. */
  readonly tests: RegExp;
  readonly terms: Readonly<Record<string, TermRule>>;
  readonly steps: Readonly<Record<string, StepRule>>;
  /** Package of the file. */
  readonly package?: (digester: Digester) => string;
}

/** Calls of what the workspace publishes with itself: those who call it say the names. */
const PUBLISHING = /\b(?:\w*\.)?(?:[pP]ublish\w*|(?:[pP]roduce|[eE]nqueue|[sS]end)(?:Message|Event|ToQueue|_message|_event|_to_queue)\w*)\(/;

/** What a body may do that matters: paths and addresses, routers, requests, events, the environment. */
const BODY_SIGN =
  /["'`](?:[A-Z]+ )?\/|:\/\/|\b(?:fetch|axios|got|ky|requests|httpx|urllib|ureq|reqwest|resty|restTemplate|webClient|http|https|grpc|pb|proto)\b[.:(!]|[cC]lient\w*[.:(]|Http[A-Z]\w+|(?:[pP]ublish|[dD]ispatch|[sS]ubscribe|[cC]onsume|[pP]roduc|[pP]rox|[tT]opic|[qQ]ueue|[eE]xchange|[rR]oute|[rR]egister|[gG]etenv|GetEnv|environ|[sS]tub|[uU]rl|URL)|\.(?:emit|delay|apply_async|request|send\w*|use|mount|Mount|Group|service|configure|nest|merge|listen|Listen|include_router|basePath|setGlobalPrefix|convertAndSend|xadd|env|config|connect|Connect|Dial\w*|Open)\(?|\b(?:app|router|server|fastify|axios|got|ky|superagent|instance|\w*[cC]lient)\[\w|\benv[.:(]|\bENV\b|\bMap[A-Z]\w*\(|\brouting\b|->(?:get|post|put|patch|delete|request)\(|\b(?:HTTParty|Faraday|RestClient|Typhoeus|Net::HTTP|Http::)|[uU]ri\(|IntegrationEvent|(?:from|with)Channel\(|\bsend\(new |\.fire\(|SendAsync\(|Event(?:Async)?\(|\.(?:[gG]et|GET|[pP]ost|POST|[pP]ut|PUT|[pP]atch|PATCH|[dD]elete|DELETE|[hH]andle\w*|Method\w*|[aA]ny|all)\((?:["\w.]+, ?)?(?:\w+\.)*\w*(?:[pP]ath|[pP]attern|[pP]refix)\b|\bnew \w*(?:Router|Hono|Kafka)\b|\b(?:express|fastify|Flask|FastAPI|App|Application)\(|\((?:app|server|router|fastify|r|e|mux|api|cfg)\)/;

const MAX_DEPTH = 120;
const MAX_TERMS = 40_000;
/** Longer literals are no names, paths or addresses. */
const MAX_TEXT = 400;

/** Reads one file after another; rules ask it for the text, fields and terms of nodes. */
export class Digester {
  readonly reader = new SyntaxReader();
  readonly #terms: (TermRule | undefined)[] = [];
  readonly #steps: (StepRule | undefined)[] = [];
  readonly #names: string[] = [];
  readonly #fields = new Map<string, number>();
  /** Text of the whole file. */
  source = '';
  #lines = new LineIndex('');
  #depth = 0;
  #count = 0;
  /** Within a function whose body is kept. */
  #isInside = false;
  /** Decorators that wait for what they decorate. */
  pending: Term[] = [];

  constructor(
    private readonly grammar: GrammarNames,
    private readonly rules: DigestRules,
  ) {}

  /** The digest as text (`model/digestText`), '' for a file that shows nothing. */
  digest(table: SyntaxTable): string {
    if (!(this.rules.sign.test(table.text) || PUBLISHING.test(table.text)) || this.rules.tests.test(table.text)) return '';
    this.reader.reset(table);
    this.source = table.text;
    this.#lines = new LineIndex(table.text);
    this.#depth = 0;
    this.#count = 0;
    this.#isInside = false;
    this.pending = [];
    const steps: Step[] = [];
    for (const child of this.named(syntaxNode(0))) this.step(child, steps);
    if (steps.length === 0) return '';
    return textOfDigest({ package: this.rules.package?.(this) ?? '', steps });
  }

  kind(node: SyntaxNode): string {
    if (node === NO_NODE) return '';
    const kind = this.reader.kind(node);
    const known = this.#names[kind];
    if (known !== undefined) return known;
    const name = this.grammar.kindName(kind);
    this.#names[kind] = name;
    return name;
  }

  text(node: SyntaxNode): string {
    return node === NO_NODE ? '' : this.reader.text(node);
  }

  named(node: SyntaxNode): SyntaxNode[] {
    const found: SyntaxNode[] = [];
    if (node === NO_NODE) return found;
    const end = this.reader.after(node);
    for (let child = syntaxNode(node + 1); child < end; child = this.reader.after(child)) {
      if (this.reader.isNamed(child) && !this.kind(child).endsWith('comment')) found.push(child);
    }
    return found;
  }

  field(node: SyntaxNode, name: string): SyntaxNode {
    if (node === NO_NODE) return NO_NODE;
    let field = this.#fields.get(name);
    if (field === undefined) {
      field = this.grammar.optionalField(name);
      this.#fields.set(name, field);
    }
    return this.reader.childByField(node, field);
  }

  /** All children with a field. */
  fields(node: SyntaxNode, name: string): SyntaxNode[] {
    const first = this.field(node, name);
    if (first === NO_NODE) return [];
    const field = this.reader.field(first);
    return this.reader.children(node).filter(child => this.reader.field(child) === field);
  }

  /** First child of one of the kinds. */
  child(node: SyntaxNode, ...kinds: readonly string[]): SyntaxNode {
    return this.named(node).find(child => kinds.includes(this.kind(child))) ?? NO_NODE;
  }

  at(node: SyntaxNode): number {
    const start = this.reader.start(node);
    const line = this.#lines.lineOf(start);
    return digestPosition(line, start - this.#lines.startOf(line));
  }

  term(node: SyntaxNode): Term {
    if (node === NO_NODE || this.#depth > MAX_DEPTH || this.#count > MAX_TERMS) return 0;
    const kind = this.reader.kind(node);
    let rule = this.#terms[kind];
    if (rule === undefined) {
      rule = this.rules.terms[this.kind(node)] ?? inside;
      this.#terms[kind] = rule;
    }
    this.#depth++;
    this.#count++;
    const term = rule(this, node);
    this.#depth--;
    return term;
  }

  step(node: SyntaxNode, steps: Step[]): void {
    if (node === NO_NODE || this.#depth > MAX_DEPTH || this.#count > MAX_TERMS) return;
    const kind = this.reader.kind(node);
    let rule = this.#steps[kind];
    if (rule === undefined) {
      const name = this.kind(node);
      rule = this.rules.steps[name] ?? (this.rules.terms[name] === undefined ? stepsInside : expressionStep);
      this.#steps[kind] = rule;
    }
    this.#depth++;
    rule(this, node, steps);
    this.#depth--;
  }

  /** Steps of a body. */
  body(node: SyntaxNode): Step[] {
    const steps: Step[] = [];
    if (node !== NO_NODE) for (const child of this.named(node)) this.step(child, steps);
    return steps;
  }

  /** Steps of the body of a function, none when nothing in it shows a sign: most bodies are never walked through. Those of constructors are, for the fields. */
  bodyOf(node: SyntaxNode, read: () => Step[] = () => this.body(node), isConstructor = false): Step[] {
    if (node === NO_NODE) return [];
    if (this.#isInside || isConstructor) return read();
    if (!BODY_SIGN.test(this.reader.text(node))) return [];
    this.#isInside = true;
    const steps = read();
    this.#isInside = false;
    return steps;
  }

  takePending(): { readonly decorators?: readonly Term[] } {
    if (this.pending.length === 0) return {};
    const d = this.pending;
    this.pending = [];
    return { decorators: d };
  }
}

/** A text as a term; 0 for one of more than 400 characters. Of a document of GraphQL its root fields are kept. */
export function literal(given: string): Term {
  const text = isGraphQlDocument(given) ? shortGraphQl(given) : given;
  return text.length > MAX_TEXT ? 0 : { kind: 'text', text: maskKnown(text) };
}

/** Texts one after the other; one literal where all are known, 0 where none is. */
export function join(of: readonly Term[]): Term {
  if (of.every(part => part === 0)) return 0;
  const flat = of.flatMap((part): readonly Term[] => (part !== 0 && part.kind === 'join' ? part.parts : [part]));
  if (flat.some(part => part === 0 || part.kind !== 'text')) return { kind: 'join', parts: flat };
  return literal(flat.map(part => (part !== 0 && part.kind === 'text' ? part.text : '')).join(''));
}

/** Any of the known terms; 0 where none is. */
export function any(of: readonly Term[]): Term {
  const known = of.filter(term => term !== 0);
  const [only] = known;
  return only === undefined ? 0 : known.length === 1 ? only : { kind: 'any', parts: known };
}

/** What of a term may matter by itself: calls and functions. */
function worth(term: Term): Term[] {
  if (term === 0) return [];
  switch (term.kind) {
    case 'call':
    case 'function':
      return [term];
    case 'text':
    case 'name':
      return [];
    case 'member':
      return worth(term.owner);
    case 'named':
      return worth(term.value);
    case 'generic':
      return worth(term.base);
    case 'list':
      return term.items.flatMap(worth);
    case 'object':
      return term.entries.flatMap(([, value]) => worth(value));
    default:
      return term.parts.flatMap(worth);
  }
}

/** The calls in what no rule names. */
export function inside(digester: Digester, node: SyntaxNode): Term {
  const found: Term[] = [];
  for (const child of digester.named(node)) {
    if (isStatement(digester.kind(child))) for (const step of digester.body(child)) found.push(...worthOfStep(step));
    else found.push(...worth(digester.term(child)));
  }
  return found.length === 0 ? 0 : { kind: 'other', parts: found };
}

function isStatement(kind: string): boolean {
  return kind.endsWith('_statement') || kind.endsWith('_body') || kind === 'block' || kind === 'statement_block';
}

function worthOfStep(step: Step): Term[] {
  if (step.kind === 'do' || step.kind === 'return' || step.kind === 'set') return worth(step.value);
  if (step.kind === 'let') return worth(step.value ?? 0);
  return [];
}

function stepsInside(digester: Digester, node: SyntaxNode, steps: Step[]): void {
  for (const child of digester.named(node)) digester.step(child, steps);
}

/** Adds of an expression that stands alone the calls and functions in it. */
export function expressionStep(digester: Digester, node: SyntaxNode, steps: Step[]): void {
  addTerm(digester.term(node), steps);
}

/** Keeps of an expression that stands alone what may matter. */
export function addTerm(term: Term, steps: Step[]): void {
  for (const value of worth(term)) steps.push({ kind: 'do', value });
}

/** Parts of a dotted or otherwise joined name. */
export function dotted(digester: Digester, node: SyntaxNode, separator: string): Term {
  const parts = digester.text(node).split(separator);
  const position = digester.at(node);
  let term: Term = { kind: 'name', name: parts[0] ?? '', position };
  let offset = (parts[0] ?? '').length + separator.length;
  for (const part of parts.slice(1)) {
    term = { kind: 'member', owner: term, name: part, position: position + offset };
    offset += part.length + separator.length;
  }
  return term;
}
