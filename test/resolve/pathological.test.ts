import { expect, test } from 'vitest';
import { linksOf, resolveFiles } from '../helpers/resolveFixture';

/** Longest processor time in milliseconds for one of these projects; a second on a quiet machine. A guard against work without end, not a budget. */
const LIMIT_MS = 60_000;
/** What goes by meanwhile on a busy one. */
const TIMEOUT_MS = 1_200_000;

const CASES = 10_000;
const names = (prefix: string): string[] => Array.from({ length: CASES }, (_, index) => `${prefix}${index}`);

/** Two types that are each other's base, in two files that need each other, with a call of a member that neither has. */
const CIRCLES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  typescript: {
    'a.ts': `import { B } from './b'; export class A extends B { m() { return this.n().missing(); } } export * from './b';`,
    'b.ts': `import { A } from './a'; export class B extends A { n() { return this.m().missing(); } } export * from './a';`,
  },
  javascript: {
    'a.js': `import { B } from './b.js'; export class A extends B { m() { return this.n().missing(); } } export * from './b.js';`,
    'b.js': `import { A } from './a.js'; export class B extends A { n() { return this.m().missing(); } } export * from './a.js';`,
  },
  python: {
    'a.py': 'from b import *\nclass A(B):\n    def m(self): return self.n().missing()\n',
    'b.py': 'from a import *\nclass B(A):\n    def n(self): return self.m().missing()\n',
  },
  go: {
    'go.mod': 'module x.y\n',
    'a/a.go': 'package a\n\nimport "x.y/b"\n\ntype A struct{ b.B }\n\nfunc (a A) M() b.B { return a.N().Missing() }\n',
    'b/b.go': 'package b\n\nimport "x.y/a"\n\ntype B struct{ a.A }\n\nfunc (b B) N() a.A { return b.M().Missing() }\n',
  },
  java: {
    'p/A.java': 'package p;\nimport q.*;\npublic class A extends B { A m() { return n().missing(); } }\n',
    'q/B.java': 'package q;\nimport p.*;\npublic class B extends A { B n() { return m().missing(); } }\n',
  },
  rust: {
    'Cargo.toml': '[package]\nname = "x"\n',
    'src/lib.rs': 'mod a;\nmod b;\n',
    'src/a.rs': 'pub use crate::b::*;\npub trait A: B { fn m(&self) { self.n().missing() } }\n',
    'src/b.rs': 'pub use crate::a::*;\npub trait B: A { fn n(&self) { self.m().missing() } }\n',
  },
  csharp: {
    'A.cs': 'using Q;\nnamespace P;\npublic class A : B { A M() => N().Missing(); }\n',
    'B.cs': 'using P;\nnamespace Q;\npublic class B : A { B N() => M().Missing(); }\n',
  },
  c: {
    'a.h': '#include "b.h"\n#define A(x) B(x)\nstruct a { struct b *b; };\n',
    'b.h': '#include "a.h"\n#define B(x) A(x)\nstruct b { struct a *a; };\n',
    'main.c': '#include "a.h"\nint f(struct a *x) { A(1); return x->b->a->b->a->missing; }\n',
  },
  cpp: {
    'a.hpp': '#include "b.hpp"\nclass A : public B { A* m() { return n()->missing(); } };\n',
    'b.hpp': '#include "a.hpp"\nclass B : public A { B* n() { return m()->missing(); } };\n',
  },
  php: {
    'A.php': '<?php\nnamespace P;\nuse Q\\B;\nrequire "B.php";\nclass A extends B { function m() { return $this->n()->missing(); } }\n',
    'B.php': '<?php\nnamespace Q;\nuse P\\A;\nrequire "A.php";\nclass B extends A { function n() { return $this->m()->missing(); } }\n',
  },
  ruby: {
    'a.rb': "require_relative 'b'\nclass A < B\n  def m\n    n.missing\n  end\nend\n",
    'b.rb': "require_relative 'a'\nclass B < A\n  include A\n  def n\n    m.missing\n  end\nend\n",
  },
  kotlin: {
    'A.kt': 'package p\n\nimport q.*\n\nopen class A : B() { fun m(): A = n().missing() }\n',
    'B.kt': 'package q\n\nimport p.*\n\nopen class B : A() { fun n(): B = m().missing() }\n',
  },
  scala: {
    'A.scala': 'package p\nimport q._\nclass A extends B { def m = n.missing }\n',
    'B.scala': 'package q\nimport p._\nclass B extends A { def n = m.missing }\n',
  },
  bash: { 'a.sh': 'source ./b.sh\na() { b; }\n', 'b.sh': 'source ./a.sh\nb() { a; }\n' },
  lua: { 'a.lua': "local b = require('b')\nfunction a() b.b() end\n", 'b.lua': "local a = require('a')\nfunction b() a.a() end\n" },
};

/** Types that speak of themselves, and types of ten thousand cases. */
const WIDE: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'recursive aliases': {
    'a.ts':
      'type A = B; type B = A; type C<T> = C<C<T>>; type D = D[] | { d: D } | (() => D); type E = E["x"] & keyof E; let a: A, c: C<D>, d: D, e: E; a.x(); c.x(); d.d.d.d().x(); e.x();',
    'a.py': 'from typing import Union, List\nA = Union["B", "A"]\nB = List[A]\ndef f(a: A, b: B):\n    a.x()\n    b[0][0][0].x()\n',
    'a.rs': 'type A = B;\ntype B = A;\ntype C = Vec<C>;\nfn f(a: A, c: C) { a.x(); c[0][0].x(); }\n',
    'a.go': 'package a\n\ntype A = B\ntype B = A\ntype C []C\n\nfunc f(a A, c C) { a.x(); c[0][0].x() }\n',
    'a.cpp': 'typedef B A; typedef A B; using C = C*; template <class T> struct D : D<D<T>> {}; void f(A a, C c, D<int> d) { a.x(); c->x(); d.x(); }\n',
    'A.cs': 'using A = B; using B = A; class C<T> : C<C<T>> { void F(A a, C<int> c) { a.X(); c.X(); } }\n',
    'A.java': 'class C<T extends C<C<T>>> extends C<C<T>> { void f(C<C<T>> c, T t) { c.x(); t.x(); } }\n',
    'A.kt': 'typealias A = B\ntypealias B = A\nopen class C<T> : C<C<T>>()\nfun f(a: A, c: C<Int>) { a.x(); c.x() }\n',
    'A.scala': 'object O { type A = B; type B = A; class C[T] extends C[C[T]]; def f(a: A, c: C[Int]) = { a.x(); c.x() } }\n',
    'a.php': '<?php\nclass_alias("A", "B");\nclass_alias("B", "A");\n/** @param A|B|callable $a */\nfunction f($a) { $a->x(); }\n',
    'a.rb': 'A = B\nB = A\nA.x\nB.new.x.y\n',
  },
  'unions of ten thousand cases': {
    'a.ts': `${names('C')
      .map(name => `class ${name} { m() {} }`)
      .join('\n')}\nfunction f(x: ${names('C').join(' | ')}) { x.m(); }\ntype S = ${names('c')
      .map(name => `'${name}'`)
      .join(' | ')};`,
    'a.py': `${names('C')
      .map(name => `class ${name}:\n    def m(self): pass\n`)
      .join('')}\ndef f(x: "${names('C').join(' | ')}"):\n    x.m()\n`,
    'a.php': `<?php\n${names('C')
      .map(name => `class ${name} { function m() {} }`)
      .join('\n')}\nfunction f(${names('C').join('|')} $x) { $x->m(); }\n`,
    'A.java': `enum E { ${names('C').join(', ')} }\nclass F { int f(E e) { switch (e) { ${names('C')
      .map(name => `case ${name}: return 1;`)
      .join(' ')} } return 0; } }\n`,
    'a.rs': `enum E { ${names('C').join(', ')} }\nfn f(e: E) -> u32 { match e { ${names('C')
      .map(name => `E::${name} => 1,`)
      .join(' ')} } }\n`,
    'A.cs': `enum E { ${names('C').join(', ')} }\nclass F { int G(E e) => e switch { ${names('C')
      .map(name => `E.${name} => 1,`)
      .join(' ')} _ => 0 }; }\n`,
    'a.cpp': `enum E { ${names('C').join(', ')} };\nint f(E e) { switch (e) { ${names('C')
      .map(name => `case ${name}: return 1;`)
      .join(' ')} } return 0; }\n`,
    'A.kt': `enum class E { ${names('C').join(', ')} }\nfun f(e: E) = when (e) { ${names('C')
      .map(name => `E.${name} -> 1;`)
      .join(' ')} else -> 0 }\n`,
    'a.go': `package a\n\ntype I interface { m() }\n${names('C')
      .map(name => `type ${name} struct{}\nfunc (${name}) m() {}\n`)
      .join('')}func f(i I) { i.m() }\n`,
    'a.rb': `${names('C')
      .map(name => `class ${name}\n  def m; end\nend\n`)
      .join('')}def f(x)\n  x = [${names('C')
      .map(name => `${name}.new`)
      .join(', ')}].first\n  x.m\nend\n`,
  },
};

/** Resolves within the bound; gives the number of edges. */
async function edgesOf(files: Readonly<Record<string, string>>): Promise<number> {
  const before = process.cpuUsage();
  const { ids, resolutions } = await resolveFiles(new Map(Object.entries(files)));
  const { user, system } = process.cpuUsage(before);
  expect((user + system) / 1000).toBeLessThan(LIMIT_MS);
  return linksOf(ids, resolutions).length;
}

test.each(Object.entries(CIRCLES))('%s: files and types that need each other', { timeout: TIMEOUT_MS }, async (_, files) => {
  expect(await edgesOf(files)).toBeGreaterThan(0);
});

const wide = Object.entries(WIDE).flatMap(([what, files]) => Object.entries(files).map(([path, text]) => [path, what, text] as const));

test.each(wide)('%s: %s', { timeout: TIMEOUT_MS }, async (path, _, text) => {
  expect(await edgesOf({ [path]: text })).toBeGreaterThanOrEqual(path === 'a.rb' ? 0 : 1);
});
