import { operandOf } from '../../../model/expressions';
import {
  type BindingRow,
  type ExpressionRow,
  expressionRow,
  type FileFacts,
  NO_TEXT,
  NONE,
  operatorCode,
  type ScopeRow,
  type StringIndex,
} from '../../../model/facts';
import type { NameNumber } from '../numbers';

/** What is asked of the file. */
interface UsingFile {
  readonly facts: FileFacts;
  name(text: StringIndex): NameNumber;
  text(index: StringIndex): string;
  firstBinding(scope: ScopeRow, name: NameNumber): BindingRow;
}

/** Names of protocols, operators, and names known in part: whatever a thing is, it may have them. */
const UNINFORMATIVE = /^(?:__|\[\])|\*$/;

const NONE_USED: ReadonlySet<NameNumber> = new Set();

/** Which members a file takes from what it calls by one name: `app.start()` and `self.app.stop()` are both taken from something called `app`. */
export class UsedMembers {
  /** By name of the receiver, wherever it stands in the file. */
  readonly #byName = new Map<NameNumber, Set<NameNumber>>();
  /** By variable: the scope that binds it, and its name. */
  readonly #byVariable = new Map<string, Set<NameNumber>>();

  constructor(private readonly file: UsingFile) {
    const { expressions } = file.facts;
    for (let row = expressionRow(0); row < expressions.count; row++) {
      if (expressions.operator[row] !== operatorCode.member) continue;
      const text = expressions.text[row] ?? NO_TEXT;
      const receiver = operandOf.receiver(expressions, row);
      const called = this.#calledAs(receiver);
      if (called === undefined || UNINFORMATIVE.test(file.text(text))) continue;
      const member = file.name(text);
      add(this.#byName, called, member);
      const variable = this.#variable(receiver);
      if (variable !== undefined) add(this.#byVariable, variable, member);
    }
  }

  /** Members taken from the very variable that a receiver names; none for a receiver that is no variable. */
  ofVariable(receiver: ExpressionRow): ReadonlySet<NameNumber> {
    const variable = this.#variable(receiver);
    return (variable === undefined ? undefined : this.#byVariable.get(variable)) ?? NONE_USED;
  }

  /** Members taken from anything in the file that is called like the receiver. */
  ofNamesakes(receiver: ExpressionRow): ReadonlySet<NameNumber> {
    const called = this.#calledAs(receiver);
    return (called === undefined ? undefined : this.#byName.get(called)) ?? NONE_USED;
  }

  #calledAs(receiver: ExpressionRow): NameNumber | undefined {
    const { expressions } = this.file.facts;
    const operator = receiver < 0 ? undefined : expressions.operator[receiver];
    if (operator !== operatorCode.name && operator !== operatorCode.member) return undefined;
    const text = expressions.text[receiver] ?? NO_TEXT;
    return this.file.text(text).startsWith('__') ? undefined : this.file.name(text);
  }

  #variable(receiver: ExpressionRow): string | undefined {
    const { expressions, scopes } = this.file.facts;
    if (receiver < 0 || expressions.operator[receiver] !== operatorCode.name) return undefined;
    const name = this.file.name(expressions.text[receiver] ?? NO_TEXT);
    for (let scope: ScopeRow = operandOf.scope(expressions, receiver); scope !== NONE; scope = scopes.parent[scope] ?? NONE)
      if (this.file.firstBinding(scope, name) !== NONE) return `${scope}:${name}`;
    return undefined;
  }
}

function add<Key>(sets: Map<Key, Set<NameNumber>>, key: Key, member: NameNumber): void {
  const set = sets.get(key);
  if (set === undefined) sets.set(key, new Set([member]));
  else set.add(member);
}
