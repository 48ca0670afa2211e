/** What literals of dictionaries hold: under a key, and as a list of their pairs, keys or values. */
import type { CallTerm, Term } from '../../../model/digest';
import { own } from '../own';
import type { Scope } from '../units';
import { literalOf, type Value } from '../values';
import { MAX_VALUES, Texts } from './texts';

export abstract class Dictionaries extends Texts {
  /** What objects hold under a key; all that they hold where the key is not known. */
  protected items(values: readonly Value[], key: Term, scope: Scope): readonly Value[] {
    const keys = this.texts(key, scope).flatMap(pieces => literalOf(pieces) ?? []);
    return values.flatMap((value): readonly Value[] => {
      if (value.kind === 'outside') return keys.flatMap(name => this.environmentMember(value.path, name, scope) ?? []);
      if (value.kind !== 'object') return [];
      const known = keys.flatMap(name => this.member(value, name, 0, scope));
      return known.length > 0 ? known : value.entries.flatMap(([, term]) => this.values(term, value.scope)).slice(0, MAX_VALUES);
    });
  }

  /** `Object.entries(services)`, `SERVICES.items()`, `SERVICES.get(name)`, of literals. */
  protected ofDictionary(call: CallTerm, scope: Scope): readonly Value[] | undefined {
    const rows = this.tablesOf(scope.file)?.dictionaries;
    if (rows === undefined || call.callee === 0 || call.callee.kind !== 'member') return undefined;
    const { name, owner } = call.callee;
    const [first = 0] = call.args;
    const row = own(rows.methods, name) ?? (owner !== 0 && owner.kind === 'name' ? own(rows.functions, `${owner.name}.${name}`) : undefined);
    if (row === undefined) return undefined;
    const objects = this.values(row === own(rows.methods, name) ? owner : first, scope).filter(value => value.kind === 'object');
    if (objects.length === 0) return undefined;
    if (row === 'item') return this.items(objects, first, scope);
    return objects.map(({ entries, scope: at }): Value => {
      const items = entries.map(([key, value]): Term => {
        const text: Term = { kind: 'text', text: key };
        return row === 'keys' ? text : row === 'values' ? value : { kind: 'list', items: [text, value] };
      });
      return { kind: 'list', items, scope: at };
    });
  }
}
