/** What Java and Kotlin have in common: one space of packages, named by the files themselves, whatever the source roots and build modules are. */

import type { LanguageRules } from '../languageRules';
import { decoratedSetUps } from '../setUps';
import { importTargets, starred, starredTypes } from './imports';
import { nearestEntries, seenEntries } from './nearest';

/** Annotations of JUnit 4 and 5, TestNG, kotlin.test and Kotest on methods that run around the tests of their class, or that make its tables. */
const SET_UPS: ReadonlySet<string> = new Set(
  (
    'BeforeEach BeforeAll AfterEach AfterAll Before BeforeClass After AfterClass Parameters DataProvider BeforeMethod AfterMethod ' +
    'BeforeTest AfterTest BeforeSuite AfterSuite BeforeSpec AfterSpec'
  ).split(' '),
);

export const jvmRules = {
  space: 'jvm',
  separator: '.',
  constructorName: '<init>',
  implicitReceiver: true,
  overloads: true,
  openTypes: false,
  structural: false,
  reexports: false,
  separateMembers: true,
  functionalInterfaces: true,
  arrayType: 'Array',
  packageOf: (_path, declared) => declared,
  visible: (ev, file, _scope, name) => starred(ev, file, name),
  starred: starredTypes,
  nearest: nearestEntries,
  select: seenEntries,
  importTargets,
  injected: (ev, file) => decoratedSetUps(ev, file, SET_UPS),
} satisfies Partial<LanguageRules>;
