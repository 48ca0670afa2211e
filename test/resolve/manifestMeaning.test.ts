import { expect, test } from 'vitest';
import { neverCancelled } from '../../server/src/base/cancellation';
import { Interner } from '../../server/src/base/interner';
import { Resolver } from '../../server/src/code/resolve/resolver';
import type { NodeHandle } from '../../server/src/model/ids';
import { resolverFiles, testTurn } from '../helpers/resolveFixture';

const FILES = new Map([
  ['src/money.ts', 'export function add(a: number) {\n  return a;\n}\n'],
  ['src/use.ts', "import { add } from '@m/money';\nexport const twice = () => add(2);\n"],
  ['till/till.go', 'package till\n\nfunc Add() int { return 1 }\n'],
  ['main.go', 'package main\n\nimport "example.org/shop/till"\n\nfunc main() { till.Add() }\n'],
]);
const MANIFESTS = new Map([
  ['package.json', '{\n  "name": "shop",\n  "version": "1.0.0"\n}\n'],
  ['tsconfig.json', '{ "compilerOptions": { "paths": { "@m/*": ["./src/*"] }, "target": "es2022" } }'],
  ['go.mod', 'module example.org/shop\n\ngo 1.23\n'],
]);

test.each([
  ['package.json', '{\n  "name": "shop",\n  "version": "2.0.0",\n  "dependencies": { "left-pad": "1" }\n}\n', 0],
  ['tsconfig.json', '{ "compilerOptions": { "paths": { "@m/*": ["./src/*"] }, "target": "esnext" }, "include": ["src"] }', 0],
  ['go.mod', 'module example.org/shop\n\ngo 1.24\n\nrequire golang.org/x/text v0.3.0\n', 0],
  ['package.json', '{\n  "name": "store"\n}\n', FILES.size],
  ['tsconfig.json', '{ "compilerOptions": { "paths": { "@m/*": ["./lib/*"] } } }', FILES.size],
  ['tsconfig.json', '{ "extends": "./base.json", "compilerOptions": { "paths": { "@m/*": ["./src/*"] } } }', FILES.size],
  ['go.mod', 'module example.org/store\n\ngo 1.23\n', FILES.size],
] as const)('a change of %s to %j resolves %i files', async (path, text, resolved) => {
  const resolver = new Resolver({ ids: new Interner<NodeHandle>() });
  const first = await resolver.update({ upserts: await resolverFiles(FILES), removed: [], manifests: MANIFESTS }, testTurn(), neverCancelled);
  expect(first.resolved).toBe(FILES.size);
  const changed = await resolver.update({ upserts: [], removed: [], manifests: new Map([[path, text]]) }, testTurn(), neverCancelled);
  expect(changed.resolved).toBe(resolved);
});
