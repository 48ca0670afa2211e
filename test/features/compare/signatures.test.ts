import { expect, test } from 'vitest';
import type { GraphNode } from '../../../server/src/code/graph/graphView';
import { isCompatible } from '../../../server/src/features/compare/signatures/signatures';

const node = (signature: string, language: GraphNode['language'] = 'typescript', kind: GraphNode['kind'] = 'function'): GraphNode =>
  ({ signature, language, kind }) as GraphNode;

test.each([
  ['f(a: number)', 'f(b: number)'],
  ['f(a: number)', 'f(a: number, b = 1)'],
  ['f(a: number)', 'f(a: number, b?: string, ...rest: string[])'],
  ['f(a: number)', 'f(a?: number)'],
  ['f(a: number)', 'f(a: number = 2)'],
  ['f(a: (x: number, y: string) => void): T', 'f(a: (x: number, y: string) => void, b?: Map<string, number>): T'],
  ['function f(a)', 'async function f(a)'],
  ['async f<T = unknown>()', 'async f<T = any>(): Promise<T>'],
  ['f(a: number): number', 'f(a: number)'],
])('whoever calls %s can call %s', (was, is) => {
  expect(isCompatible(node(was), node(is))).toBe(true);
});

test.each([
  ['f(a: number)', 'f(a: string)'],
  ['f(a: number)', 'f()'],
  ['f(a: number)', 'f(a: number, b: number)'],
  ['f(a: number): T', 'f(a: number): void'],
  ['f(a?: number)', 'f(a: number)'],
  ['f(a: (x: number) => void)', 'f(a: (x: string) => void)'],
  ['class A extends B', 'class A extends C'],
])('whoever calls %s may not call %s', (was, is) => {
  expect(isCompatible(node(was), node(is))).toBe(false);
});

test('a name of a parameter counts where callers may use it', () => {
  expect(isCompatible(node('def f(a, b=1)', 'python'), node('def f(c, b=1)', 'python'))).toBe(false);
  expect(isCompatible(node('def f(a)', 'python'), node('def f(a, b=1, *args, **more)', 'python'))).toBe(true);
  expect(isCompatible(node('def f(a)', 'python'), node('def f(a, b)', 'python'))).toBe(false);
});

test('another name of a type binds as much as types do in its language', () => {
  const alias = (language: 'python' | 'typescript', type: string): GraphNode => node(`Rows = ${type}`, language, 'type');
  expect(isCompatible(alias('python', 't.List[t.Any]'), alias('python', 'list[t.Any]'))).toBe(true);
  expect(isCompatible(alias('typescript', 'string[]'), alias('typescript', 'number[]'))).toBe(false);
  expect(isCompatible(node('class Rows(List)', 'python', 'class'), node('class Rows', 'python', 'class'))).toBe(false);
});

test.each([
  ['go', 'func (s *Store) Put(key string, value interface{}) error', 'func (t Store) Put(k string, v any) error', true],
  ['go', 'func add(a, b int) int', 'func add(x int, y int) int', true],
  ['go', 'func add(a, b int) int', 'func add(a int, b string) int', false],
  ['go', 'func add(int) int', 'func add(int) string', false],
  ['go', 'func get(key string) (string, bool)', 'func get(key string) (value string, ok bool)', true],
  ['go', 'func get(key string) string', 'func get(key string) (value string)', true],
  ['go', 'func get(key string) string', 'func get(key string) (value string, err error)', false],
  ['go', 'func get(key string)', 'func get(key string) error', false],
  ['go', 'func on(name string, f func(key string, value any) error)', 'func on(n string, h func(string, any) error)', true],
  ['go', 'func on(f func(key string) error)', 'func on(f func(key int) error)', false],
  ['go', 'func of() (func(key string) error, bool)', 'func of() (f func(string) error, ok bool)', true],
  ['python', 'def f(a: int, b=1) -> str', 'def f(a: "int", b: t.Optional[int] = 1) -> None', true],
  ['python', 'def f(a, **more)', 'def f(a, *, b=1, **more)', true],
  ['python', 'def f(a, b=None)', 'def f(a, *, b=None)', false],
  ['python', 'self.a', 'self.a: int', true],
  ['python', 'class A(B, metaclass=M)', 'class A(C)', false],
  ['java', 'int add(final int a, String b)', 'int add(int x, String y)', true],
  ['java', 'int add(int a)', 'int add(long a)', false],
  ['rust', 'fn add(a: i32, mut b: i32) -> i32', 'fn add(x: i32, y: i32) -> i32', true],
] as const)('%s: %s and %s', (language, was, is, expected) => {
  expect(isCompatible(node(was, language), node(is, language))).toBe(expected);
});
