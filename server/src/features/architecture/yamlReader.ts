import { isMap, isScalar, isSeq, LineCounter, type Node, parseDocument, type YAMLMap } from 'yaml';
import type { RuleFinding } from './rules';

/** A value of a YAML or JSON text with its line. */
export interface Field {
  readonly node: unknown;
  /** 1-based. */
  readonly line: number;
}

export type Fields = ReadonlyMap<string, Field>;

/** Reads a YAML text (JSON is one) into values that know their lines; whatever is not as it should be becomes a finding. */
export class YamlReader {
  readonly findings: RuleFinding[] = [];
  readonly root: unknown;
  readonly #lines = new LineCounter();

  constructor(text: string) {
    const document = parseDocument(text, { lineCounter: this.#lines, prettyErrors: false, strict: true, uniqueKeys: true });
    for (const { message, pos } of document.errors) this.complain(this.#lineAt(pos[0]), `Invalid YAML: ${message}`, 'error');
    this.root = document.contents;
  }

  complain(line: number, message: string, severity: RuleFinding['severity'] = 'error'): void {
    this.findings.push({ line, severity, message });
  }

  lineOf(node: unknown): number {
    const start = (node as Partial<Node> | null | undefined)?.range?.[0];
    return typeof start === 'number' ? this.#lineAt(start) : 1;
  }

  /** Keys and values of a mapping; unknown keys are findings, and left out. */
  fields({ node, line }: Field, what: string, known: readonly string[]): Fields | undefined {
    if (!isMap(node)) {
      this.complain(line, `${what} must be a mapping with ${known.join(', ')}.`);
      return undefined;
    }
    const fields = new Map<string, Field>();
    for (const { key, value } of (node as YAMLMap).items) {
      const name = isScalar(key) ? String(key.value) : '';
      const at = this.lineOf(key);
      if (known.includes(name)) fields.set(name, { node: value, line: at });
      else this.complain(at, `Unknown key "${name}" in ${what}. Use one of ${known.join(', ')}.`, 'warning');
    }
    return fields;
  }

  /** Items of a list; an absent one is empty. */
  list(field: Field | undefined, what: string): Field[] {
    if (field === undefined || isNothing(field.node)) return [];
    if (!isSeq(field.node)) {
      this.complain(field.line, `${what} must be a list.`);
      return [];
    }
    return field.node.items.map(node => ({ node, line: this.lineOf(node) }));
  }

  text(field: Field | undefined, what: string): string | undefined {
    if (field === undefined) return undefined;
    const { node } = field;
    if (isScalar(node) && (typeof node.value === 'string' || typeof node.value === 'number')) return String(node.value);
    this.complain(field.line, `${what} must be a string.`);
    return undefined;
  }

  /** One text or a list of them. */
  texts(field: Field | undefined, what: string): string[] {
    if (field === undefined) return [];
    if (!isSeq(field.node)) {
      const single = this.text(field, `${what}, if not a list,`);
      return single === undefined ? [] : [single];
    }
    return this.list(field, what).flatMap(item => this.text(item, `Each item of ${what}`) ?? []);
  }

  flag(field: Field | undefined, what: string): boolean | undefined {
    if (field === undefined) return undefined;
    if (isScalar(field.node) && typeof field.node.value === 'boolean') return field.node.value;
    this.complain(field.line, `${what} must be true or false.`);
    return undefined;
  }

  oneOf<T extends string>(field: Field | undefined, what: string, known: readonly T[]): T | undefined {
    const text = this.text(field, what);
    const found = known.find(name => name === text);
    if (text !== undefined && found === undefined) this.complain(field?.line ?? 1, `${what} must be one of ${known.join(', ')}, not "${text}".`);
    return found;
  }

  #lineAt(offset: number): number {
    return Math.max(1, this.#lines.linePos(offset).line);
  }
}

function isNothing(node: unknown): boolean {
  return node === null || node === undefined || (isScalar(node) && node.value === null);
}
