import type { WorkspaceSketch } from './graphOf';

const line = (at: number): readonly [number, number] => [at, at];

/** Members of an exported literal that no reference leads to: two are named by code, `lost` only where a file is loaded. */
export const LITERAL: WorkspaceSketch = {
  'package.json': {},
  'src/request.js': {
    lines: 5,
    symbols: [
      { name: 'type', kind: 'method', lines: line(2), modifiers: ['exported', 'getter'], signature: 'get type ()' },
      { name: 'lost', kind: 'method', lines: line(3), modifiers: ['exported', 'getter'], signature: 'get lost ()' },
      { name: 'toJSON', kind: 'method', lines: line(4), modifiers: ['exported'], signature: 'toJSON ()' },
    ],
    references: [{ from: '', relation: 'IMPORTS', to: 'src/application.js', source: 'import' }],
  },
  'src/application.js': { lines: 1 },
  'test/request.test.js': {
    isTest: true,
    lines: 3,
    symbols: [
      { name: 'types', lines: line(1), modifiers: ['test'] },
      { name: 'lists', lines: line(2), modifiers: ['test'] },
      { name: 'ends', lines: line(3), modifiers: ['test'] },
    ],
    references: [{ from: '', relation: 'IMPORTS', to: 'src/request.js', source: 'import' }],
  },
};

export const LITERAL_TEXTS: Readonly<Record<string, string>> = {
  'src/request.js': "module.exports = {\n  get type () { return 1; },\n  get lost () { return 2; },\n  toJSON () { return only(this, ['type']); },\n};\n",
  'src/application.js': "delegate(proto, 'request').getter('type').getter('lost');\n",
  'test/request.test.js': "it('types', () => make().type);\nit('lists', () => make().toJSON());\nit('ends', () => make().end());\n",
};
