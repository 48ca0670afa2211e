import { describe, expect, it } from 'vitest';
import { NO_NODE } from '../../../server/src/model/ids';
import { findKind, KINDS, kindOfPrefix, LAYERS } from '../../../server/src/model/kinds';
import { KIND_GROUPS, NODE_TYPES, SYMBOL_KINDS } from '../../../server/src/model/nodes';
import { joins, parseRelation, RELATIONS, relationsIn } from '../../../server/src/model/relations';
import { graphOf } from '../../helpers/graphOf';

describe('the table of kinds', () => {
  it('names each kind and each prefix once', () => {
    const prefixes = KINDS.flatMap(({ prefix }) => (prefix === '' ? [] : [prefix as string]));
    expect(new Set(KINDS.map(({ name }) => name)).size).toBe(KINDS.length);
    expect(new Set(prefixes).size).toBe(prefixes.length);
    expect(prefixes.map(kindOfPrefix)).toEqual(KINDS.filter(({ prefix }) => prefix !== '').map(({ name }) => name));
    expect(kindOfPrefix('src/a.ts')).toBeUndefined();
  });

  it('keeps the codes of symbol kinds, which are stored', () => {
    expect(SYMBOL_KINDS.join(' ')).toBe(
      'function method class interface type enum enum_member variable constant field property module namespace struct trait constructor',
    );
    expect(NODE_TYPES.slice(0, 3)).toEqual(['file', 'symbol', 'external']);
  });

  it('groups kinds', () => {
    expect(KIND_GROUPS.FUNCTION).toEqual(['function', 'method', 'constructor']);
    expect(KIND_GROUPS.WORK).toEqual(['feature', 'task']);
  });
});

describe('the table of relations', () => {
  it('keeps the codes of those that are stored, and no name twice', () => {
    expect(RELATIONS.slice(0, 24).every(({ layer }) => layer === 'code')).toBe(true);
    expect(RELATIONS[23]?.name).toBe('TESTS');
    const names = RELATIONS.flatMap(({ name, reverse }) => [name.toLowerCase(), reverse]);
    expect(new Set(names).size).toBe(names.length);
    expect(parseRelation('touched_by')).toEqual({ relation: 'TOUCHES', reversed: true });
  });

  it('joins kinds that there are, never one of a layer above its own', () => {
    for (const { ends, layer } of RELATIONS) {
      for (const kind of ends.flatMap(({ from, to }) => [...from, ...to])) {
        const row = findKind(kind === 'symbol' ? 'function' : kind);
        expect(LAYERS.indexOf(row?.layer ?? 'memory')).toBeLessThanOrEqual(LAYERS.indexOf(layer));
      }
    }
    expect(relationsIn('memory')).toContain('COVERS');
  });

  it('says which ends an edge may have', () => {
    expect(joins('CALLS', 'function', 'method')).toBe(true);
    expect(joins('CALLS', 'function', 'external')).toBe(false);
    expect(joins('COVERS', 'atom', 'file')).toBe(true);
    expect(joins('COVERS', 'task', 'file')).toBe(false);
  });
});

it('a call into a library makes no edge and is counted, an import of it makes one', () => {
  const { view } = graphOf({
    'src/a.ts': {
      symbols: [{ name: 'run' }],
      references: [
        { from: '', relation: 'IMPORTS', to: 'external::react' },
        { from: 'run', relation: 'CALLS', to: 'external::react' },
      ],
    },
  });
  const external = view.find('external::react') ?? NO_NODE;
  expect(view.kindOf(external)).toBe('external');
  expect(view.in(external).map(edge => edge.relation)).toEqual(['IMPORTS']);
  expect(view.tally().refused).toBe(1);
});
