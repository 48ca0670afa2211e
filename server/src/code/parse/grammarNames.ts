import type { Language } from 'web-tree-sitter';
import { ERROR_KIND, type GrammarNames } from './syntaxTable';

/** Names of a loaded grammar. */
export function grammarNames(language: Language): GrammarNames {
  const find = (name: string, named: boolean): number => language.idForNodeType(name, named) ?? 0;
  return {
    kind(name: string, named = true): number {
      const kind = find(name, named);
      if (kind === 0) throw new RangeError(`grammar ${language.name ?? ''} has no ${named ? 'node' : 'token'} "${name}"`);
      return kind;
    },
    optionalKind: (name: string, named = true): number => find(name, named),
    field(name: string): number {
      const field = language.fieldIdForName(name);
      if (field === null) throw new RangeError(`grammar ${language.name ?? ''} has no field "${name}"`);
      return field;
    },
    optionalField: (name: string): number => language.fieldIdForName(name) ?? 255,
    kindName: (kind: number): string => (kind === ERROR_KIND ? 'ERROR' : (language.nodeTypeForId(kind) ?? '')),
  };
}
