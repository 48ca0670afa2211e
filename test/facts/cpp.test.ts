import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { prepared } from '../../server/src/code/facts/languages/cpp/prepare';
import { NO_TEXT, textOf } from '../../server/src/model/facts';
import { danglingRows } from '../helpers/danglingRows';
import { dumpFacts, dumpSymbols } from '../helpers/dumpFacts';
import { FactsReader } from '../helpers/extract';

const folder = join(import.meta.dirname, '../fixtures/languages/cpp');
let reader: FactsReader;

beforeAll(async () => {
  reader = await FactsReader.create();
});

describe('facts of whole files', () => {
  test.each(readdirSync(folder).filter(name => /\.[ch]pp$|\.c$/.test(name)))('%s', async name => {
    const facts = await reader.factsOfFile(name, readFileSync(join(folder, name), 'utf8'));
    await expect(dumpFacts(facts)).toMatchFileSnapshot(join(folder, `${name}.facts`));
  });
});

describe('any text', () => {
  const inside = (text: string): string => `int f() {\n${text}\n}\n`;
  const texts: readonly (readonly [string, string])[] = [
    ['empty', ''],
    ['only a comment', '// nothing'],
    ['no characters of C', '\u0000\u0001 ¶ ∆ \u{1F600}'],
    ['deep parentheses', inside(`x = ${'('.repeat(3000)}1${')'.repeat(3000)};`)],
    ['deep calls', inside(`${'f('.repeat(3000)}1${')'.repeat(3000)};`)],
    ['deep blocks', inside(`${'{'.repeat(2000)}a();${'}'.repeat(2000)}`)],
    ['deep initializers', `int x[] = ${'{'.repeat(2000)}1${'}'.repeat(2000)};`],
    ['deep pointers', `int ${'*'.repeat(3000)}x; int ${'('.repeat(1000)}y${')'.repeat(1000)};`],
    ['deep templates', `${'A<'.repeat(1000)}int${'>'.repeat(1000)} x;`],
    ['deep namespaces', `${'namespace a { '.repeat(600)}int x;${'}'.repeat(600)}`],
    ['deep classes', `${'struct a { '.repeat(600)}int x;${'};'.repeat(600)}`],
    ['deep lambdas', inside(`${'[] { '.repeat(600)}a();${' };'.repeat(600)}`)],
    ['long chain of operators', inside(`x = ${'a + '.repeat(20_000)}a;`)],
    ['long chain of members', inside(`x = ${'a.'.repeat(5000)}a;`)],
    ['long chain of names', inside(`x = ${'a::'.repeat(3000)}a;`)],
    ['long chain of else', inside(`${'if (a) b(); else '.repeat(1500)}c();`)],
    ['many conditions', '#if A\n'.repeat(1000) + 'int x;\n' + '#endif\n'.repeat(1000)],
    ['conditions without end', '#if A\n#else\n'.repeat(300)],
    ['brackets without end', '((((['.repeat(500)],
    ['half of a declaration', 'class \nstruct {\nint f(\ntemplate <\nnamespace {\nenum {\noperator\n#define\n#include\n'],
  ];
  test.each(texts.flatMap(([name, text]) => (['c', 'cpp'] as const).map(language => [name, language, text] as const)))('%s (%s)', async (_, language, text) => {
    const facts = await reader.facts(language, text);
    expect(danglingRows(facts)).toEqual([]);
    expect(await reader.facts(language, text)).toEqual(facts);
  });

  test('every prefix of a file gives facts', async () => {
    const text = readFileSync(join(folder, 'shapes.hpp'), 'utf8');
    for (let length = 0; length < text.length; length += 7)
      expect({ length, dangling: danglingRows(await reader.facts('cpp', text.slice(0, length))) }).toEqual({ length, dangling: [] });
  });
});

describe('what the grammar cannot read', () => {
  const cases: readonly (readonly [string, string, readonly string[]])[] = [
    ['a macro before the name of a class', 'class FOO_EXPORT A { void f(); };', ['class A', 'method A::f']],
    ['extern "C" under a condition', '#ifdef __cplusplus\nextern "C" {\n#endif\nint f(void);\n#ifdef __cplusplus\n}\n#endif\n', ['function f']],
    ['a macro that stands alone', 'FOO_BEGIN\nint f() { return 1; }\nFOO_END\nint g();\n', ['function f', 'function g']],
    ['a macro behind parameters', 'struct A { int f() FOO_LOCKED(mutex_); };', ['struct A', 'method A::f']],
    ['a macro behind a variable', 'struct A { int x GUARDED_BY(mutex_); };', ['struct A', 'field A::x']],
    ['a macro around a type', 'FOO_PUBLIC(char *) f(int x);', ['function f']],
    ['a macro as access specifier', 'class A {\nFOO_PRIVATE:\n  int x;\n};', ['class A', 'field A::x']],
    ['a macro of the file that is a specifier', '#define in_line static inline\nin_line int f(void) { return 1; }\n', ['constant in_line', 'function f']],
    ['a condition inside an expression', 'int f(int a,\n#ifdef B\n  int b\n#else\n  char b\n#endif\n);\nint g();\n', ['function f', 'function g']],
    ['a namespace that macros open', 'FOO_BEGIN_NAMESPACE\nint f();\nFOO_END_NAMESPACE\n', ['namespace foo', 'function foo::f']],
    [
      'macros before a constructor and a conversion',
      'struct A {\n  FOO_CONSTEXPR A(int x) : x_(x) {}\n  FOO_CONSTEXPR operator int() const { return x_; }\n  int x_;\n};',
      ['struct A', 'constructor A::A', 'method A::operator', 'field A::x_'],
    ],
    ['two macros before a declaration', 'struct A {\n  FOO_CONSTEXPR FOO_INLINE void operator()(int x) {}\n};', ['struct A', 'method A::operator()']],
    ['a macro before a condition', 'void f(int x) { \n  if FOO_CONSTEXPR (sizeof(x) > 1) { return; }\n}\nint g();', ['function f', 'function g']],
    [
      'macros for try and catch',
      'struct A {\n  void f() {\n    FOO_TRY\n    {\n      g();\n    }\n    FOO_INTERNAL_CATCH (int& e)\n    {\n      h();\n    }\n  }\n  int x;\n};',
      ['struct A', 'method A::f', 'field A::x'],
    ],
    ['a macro and a comment between the head of a template and a function', 'template <typename T>\nFOO_HIDDEN("x")  // note\nint f(T t);\n', ['function f']],
    ['instances of templates made elsewhere', 'extern template FOO_API auto f<char>(int)\n    -> g<char>;\nint h();\n', ['function h']],
    ['a cast to a short type', 'int f(int a) {\n  if (unsigned(a) < unsigned(g())) a = 1;\n  return a;\n}\nint g();', ['function f', 'function g']],
    ['braces as the default of a parameter', 'int f(int a, A b = {}, const A& c = {});\n', ['function f']],
    ['the type of an enum without a name', 'struct A {\n  enum : unsigned { one = 1 };\n  int x;\n};', ['struct A', 'constant A::one', 'field A::x']],
    ['the operator of an index by its name', 'int f(A* a) { return a->operator[](1); }\nint g();', ['function f', 'function g']],
    [
      'a macro that tells what a compiler has',
      '#ifdef X\n#define FOO_HAS_INCLUDE(x) __has_include(x)\n#endif\nint f();',
      ['function FOO_HAS_INCLUDE', 'function f'],
    ],
    [
      'conditions in lists of a template and of values',
      'template <typename T, std::enable_if<c<\n  a<T>,\n#if B\n  b<T>,\n#endif\n  d<T>>::value, int>::type = 0>\nint f(T t);\nint v[] = {\n#if C\n  1,\n#else\n  2,\n#endif\n};\n',
      ['function f', 'variable v'],
    ],
  ];
  test.each(cases)('%s', async (_, text, symbols) => {
    expect(prepared(text)).toHaveLength(text.length);
    const facts = await reader.facts('cpp', text);
    expect(facts.syntax.errorNodes).toBe(0);
    expect(dumpSymbols(facts).map(line => line.split(' ').slice(0, 2).join(' '))).toEqual(symbols);
  });

  test('code without such macros stays as it is', () => {
    for (const name of ['shapes.cpp', 'table.c']) {
      const text = readFileSync(join(folder, name), 'utf8');
      expect(prepared(text)).toBe(text);
    }
  });
});

test('what describes a symbol', async () => {
  const facts = await reader.factsOfFile('shapes.cpp', readFileSync(join(folder, 'shapes.cpp'), 'utf8'));
  const row = facts.symbols.name.findIndex(word => textOf(facts, word) === 'Shape');
  const { signature, firstLine, complexity } = facts.symbols;
  expect(textOf(facts, signature[row] ?? NO_TEXT)).toBe('Shape::Shape(const char* name, int sides)');
  expect(textOf(facts, firstLine[row] ?? NO_TEXT)).toBe('callback_ = sd::twice;');
  expect(complexity[row]).toBe(2);
});
