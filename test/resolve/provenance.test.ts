/** How an edge is known: a bare name that an import brings in says `import` in every language, one of the same file or package `scope`. */
import { expect, test } from 'vitest';
import { linksOf, resolveFiles } from '../helpers/resolveFixture';

interface Sample {
  readonly language: string;
  readonly files: Readonly<Record<string, string>>;
  /** Name of the function that is imported, and of one that is not. */
  readonly imported: string;
  readonly own: string;
}

const SAMPLES: readonly Sample[] = [
  {
    language: 'TypeScript',
    files: { 'a.ts': 'export function far() {}', 'b.ts': "import { far } from './a';\nfunction near() {}\nfunction f() { far(); near(); }" },
    imported: 'a.ts::far',
    own: 'b.ts::near',
  },
  {
    language: 'Python',
    files: { 'a.py': 'def far(): pass', 'b.py': 'from a import far\ndef near(): pass\ndef f():\n  far()\n  near()' },
    imported: 'a.py::far',
    own: 'b.py::near',
  },
  {
    language: 'Java, by a static import',
    files: {
      'p/A.java': 'package p; public class A { public static void far() {} }',
      'q/B.java': 'package q; import static p.A.far; class B { void near() {} void f() { far(); near(); } }',
    },
    imported: 'p/A.java::A::far',
    own: 'q/B.java::B::near',
  },
  {
    language: 'Java, by a static wildcard import',
    files: {
      'p/A.java': 'package p; public class A { public static void far() {} }',
      'q/B.java': 'package q; import static p.A.*; class B { void near() {} void f() { far(); near(); } }',
    },
    imported: 'p/A.java::A::far',
    own: 'q/B.java::B::near',
  },
  {
    language: 'Kotlin',
    files: { 'a.kt': 'package p\nfun far() {}', 'b.kt': 'package q\nimport p.far\nfun f() { far(); near() }', 'c.kt': 'package q\nfun near() {}' },
    imported: 'a.kt::far',
    own: 'c.kt::near',
  },
  {
    language: 'Kotlin, by a wildcard import',
    files: { 'a.kt': 'package p\nfun far() {}', 'b.kt': 'package q\nimport p.*\nfun near() {}\nfun f() { far(); near() }' },
    imported: 'a.kt::far',
    own: 'b.kt::near',
  },
  {
    language: 'Scala',
    files: {
      'a.scala': 'package p\nobject A { def far() = 1 }',
      'b.scala': 'package q\nimport p.A.far\nobject B { def near() = 1; def f() = { far(); near() } }',
    },
    imported: 'a.scala::A::far',
    own: 'b.scala::B::near',
  },
  {
    language: 'Rust',
    files: { 'src/lib.rs': 'mod a; mod b;', 'src/a.rs': 'pub fn far() {}', 'src/b.rs': 'use crate::a::far;\nfn near() {}\nfn f() { far(); near(); }' },
    imported: 'src/a.rs::far',
    own: 'src/b.rs::near',
  },
  {
    language: 'C#',
    files: {
      'A.cs': 'namespace P { public static class A { public static void Far() {} } }',
      'B.cs': 'using static P.A; namespace Q { class B { void Near() {} void F() { Far(); Near(); } } }',
    },
    imported: 'A.cs::A::Far',
    own: 'B.cs::B::Near',
  },
  {
    language: 'PHP',
    files: {
      'a.php': '<?php namespace P; function far() {}',
      'b.php': '<?php namespace Q; use function P\\far; function near() {} function f() { far(); near(); }',
    },
    imported: 'a.php::far',
    own: 'b.php::near',
  },
  {
    language: 'C, by inclusion',
    files: { 'a.h': 'static inline void far(void) {}', 'b.c': '#include "a.h"\nstatic void near(void) {}\nvoid f(void) { far(); near(); }' },
    imported: 'a.h::far',
    own: 'b.c::near',
  },
  {
    language: 'Bash, by sourcing',
    files: { 'a.sh': 'far() { :; }', 'b.sh': '. ./a.sh\nnear() { :; }\nf() { far; near; }' },
    imported: 'a.sh::far',
    own: 'b.sh::near',
  },
  {
    language: 'Go, by a dot import',
    files: {
      'go.mod': 'module example.com/m',
      'a/a.go': 'package a\nfunc Far() {}',
      'b/b.go': 'package b\nimport . "example.com/m/a"\nfunc f() { Far(); near() }',
      'b/c.go': 'package b\nfunc near() {}',
    },
    imported: 'a/a.go::Far',
    own: 'b/c.go::near',
  },
];

test.each(SAMPLES)('$language', async ({ files, imported, own }) => {
  const { ids, resolutions } = await resolveFiles(new Map(Object.entries(files)));
  const calls = linksOf(ids, resolutions).filter(link => link.relation === 'CALLS');
  const sources = (target: string): readonly string[] => calls.filter(link => link.target === target).map(link => link.source);
  expect([sources(imported), sources(own)]).toEqual([['import'], ['scope']]);
});
