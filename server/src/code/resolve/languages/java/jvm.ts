/** What Java and Kotlin have in common: one space of packages, named by the files themselves, whatever the source roots and build modules are. */
import type { LanguageRules } from '../languageRules';
import { importTargets, starred } from './imports';
import { nearestEntries } from './nearest';

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
  nearest: nearestEntries,
  importTargets,
} satisfies Partial<LanguageRules>;
