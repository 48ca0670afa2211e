import { expect, test } from 'vitest';
import type { GraphNode } from '../../../server/src/code/graph/graphView';
import { isCompatible, mayName, renamedParameters } from '../../../server/src/features/compare/signatures/signatures';

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

test.each<[GraphNode['language'], string, string, readonly string[]]>([
  ['python', 'def f(server, port=1)', 'def f(host, port=1)', ['server']],
  ['python', 'def f(a: int, *, b: str = "x")', 'def f(a: int, *, c: str = "x", d=1)', ['b']],
  ['php', "public function __construct($token, $server = 'x')", "public function __construct($token, $host = 'x')", ['server']],
  ['ruby', 'def call(a, size: 1)', 'def call(b, length: 1)', ['a', 'size']],
  ['kotlin', 'fun f(server: String, vararg rest: Int): Int', 'fun f(host: String, vararg rest: Int): Int', ['server']],
  ['csharp', 'int F(string server, int port = 1)', 'int F(string host, int port = 1)', ['server']],
  ['cpp', 'int f(const char *from, int to[4])', 'int f(const char *source, int target[4])', ['from', 'to']],
  ['python', 'def f(a, b)', 'def f(b, a)', []],
  ['python', 'def f(a, b)', 'def f(c)', []],
  ['python', 'def f(a, b=1)', 'def f(c, b)', []],
  ['php', 'function f(int $a)', 'function f(string $b)', []],
  ['csharp', 'int F(string a)', 'int F(int b)', []],
  ['cpp', 'int f(unsigned int)', 'int f(unsigned long)', []],
  ['cpp', 'int f(Shop)', 'int f(Store)', []],
  ['cpp', 'int f(int a)', 'long f(int b)', []],
  ['python', 'def f(a)', 'def f(a, b=1)', []],
])('%s: from %s to %s, these are parameters with another name: %j', (language, was, is, names) => {
  expect(renamedParameters(node(was, language), node(is, language))).toEqual(names);
});

test('a call gives a parameter by its name, or may do so', () => {
  const gives = (call: string, language: GraphNode['language']): boolean => mayName(call, ['server', 'port'], language);
  expect([gives('f("x", 1)', 'python'), gives('f(server="x")', 'python'), gives('f(server == 1)', 'python'), gives('f(**more)', 'python')]).toEqual([
    false,
    true,
    false,
    true,
  ]);
  expect([
    gives('f($server)', 'php'),
    gives('f(port: 1)', 'php'),
    gives('f(A::server)', 'php'),
    gives('f(server::X)', 'php'),
    gives('f(...$more)', 'php'),
  ]).toEqual([false, true, false, false, true]);
  expect(gives('f(server = 1)', 'cpp')).toBe(false);
});

test.each<[GraphNode['language'], string, string, boolean]>([
  ['java', 'public List<String> names(int a)', 'List<String> names(int b)', true],
  ['java', 'public static List<String> names()', 'public List<Integer> names()', false],
  ['java', 'void close()', 'boolean close()', true],
  ['java', 'boolean close()', 'void close()', false],
  ['java', 'public Shop(int a)', 'protected Shop(int b)', true],
  ['csharp', 'public async Task<int> Run(int a)', 'public Task<int> Run(int a)', true],
  ['csharp', 'public int Run(int a)', 'public long Run(int a)', false],
  ['cpp', 'static char* name(int a)', 'inline char *name(int a)', true],
  ['cpp', 'int Shop::size() const', 'long Shop::size() const', false],
  ['cpp', '[[nodiscard]] int size()', 'int size()', true],
  ['cpp', 'Shop::Shop(int a)', 'Shop(int a)', true],
  ['php', 'public function names($a)', 'public function names($a): array', true],
  ['php', 'public function names($a): array', 'public function names($a): int', false],
  ['kotlin', 'fun size()', 'fun size(): Int', true],
])('%s: callers of %s can call %s: %s', (language, was, is, expected) => {
  expect(isCompatible(node(was, language), node(is, language))).toBe(expected);
});

test.each<[GraphNode['language'], GraphNode['kind'], string, string, boolean]>([
  ['java', 'class', 'public static abstract class DateType<T extends Date>', 'public abstract static class DateType<T extends Date>', true],
  ['java', 'class', 'class A implements B', 'public final class A implements B, C', true],
  ['java', 'class', 'class A<T> extends Base<T>', 'class A<T> extends Derived<T>', true],
  ['java', 'class', 'class A extends Other', 'class A extends Derived', false],
  ['java', 'class', 'class A implements B, C', 'class A implements C', false],
  ['java', 'class', 'class A implements Creator', 'class A implements Creator<Object>', true],
  ['java', 'class', 'class A<T> extends Base<T>', 'class A<T, S> extends Base<T>', false],
  ['java', 'class', 'class A', 'abstract class A', false],
  ['java', 'enum', 'public static enum E', 'public enum E', true],
  ['java', 'field', 'final Type type', 'private final Type type', true],
  ['java', 'field', 'static Shop SHOP', 'static volatile Shop SHOP', true],
  ['java', 'field', 'Shop shop', 'static Shop shop', false],
  ['java', 'field', 'int a', 'long a', false],
  ['java', 'method', 'void read(Graph graph) throws IOException, Broken', 'void read(Graph graph) throws Broken', true],
  ['java', 'method', 'void read(Graph graph)', 'void read(Graph graph) throws IOException', false],
  ['csharp', 'class', 'public class A<T> : Base, IOne where T : class', 'public sealed class A<T> : Base, IOne, ITwo where T : class', true],
  ['csharp', 'method', 'public void Merge(object content, List<string> names)', 'public void Merge(object? content, [NotNull] List<string?> names)', true],
  ['csharp', 'method', 'public int? Size(int? a)', 'public int Size(int a)', false],
  ['csharp', 'property', 'public override Type ?ValueType', 'public override Type? ValueType', true],
  ['csharp', 'constructor', 'internal Shop(int a) : base(a)', 'internal Shop(int a) : base(a, 1)', true],
  ['csharp', 'class', 'internal class A<T>', 'internal class A<T> where T : notnull', true],
  ['cpp', 'class', 'class A : public Base', 'class A : public Base, private Other', true],
  ['cpp', 'method', 'virtual int Compare(const Slice &a) const', 'int Compare(const Slice& a) const override', true],
  ['cpp', 'method', 'int Compare(const Slice& a) const', 'int Compare(const Slice& a)', false],
  ['cpp', 'constructor', 'Range()', 'Range() = default', true],
  ['cpp', 'function', 'Status Open(int a)', 'LEVELDB_EXPORT Status Open(int a)', true],
  ['cpp', 'class', 'class DB', 'class LEVELDB_EXPORT DB', true],
  ['cpp', 'function', 'MAX_SIZE f(int a)', 'int f(int a)', false],
  ['cpp', 'field', 'MemTable *mem', 'MemTable* const mem', true],
  ['cpp', 'function', 'void f(unsigned char a)', 'void f(uint8_t a)', true],
  ['cpp', 'class', 'template<typename Key,class C> class List', 'template <typename Key, class C> class List', true],
  ['php', 'method', 'public function set($level, bool $bubble = true)', 'public function set(int|string|Level $level, bool $bubble = true)', true],
  ['php', 'method', 'public function set(array $level)', 'public function set(Level $level)', false],
  ['php', 'constructor', 'function __construct(?string $a = null)', 'function __construct(public readonly ?string $a = null)', true],
  ['php', 'property', '$channel', 'public readonly ?string $channel', true],
  ['php', 'property', 'int $channel', 'string $channel', false],
  ['typescript', 'class', 'class A implements B', 'class A implements C', false],
])('%s: users of the %s %s can use %s: %s', (language, kind, was, is, expected) => {
  expect(isCompatible(node(was, language, kind), node(is, language, kind), () => new Set(['Base', 'Derived']))).toBe(expected);
});
