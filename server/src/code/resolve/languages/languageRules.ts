import type { LanguageHooks } from '../evaluate/evaluator';
import type { LanguageTraits } from './languageTraits';

/**
 * What the resolver needs to know of a language beyond its facts: one object per family in `languages/`, a row in `rulesOf.ts`.
 *
 * The evaluator looks names up in the lexical scopes, in the members of the classes around (`implicitReceiver`), in the package, and then asks `visible` and `outer`.
 * Rules hold no state of their own; what they derive from paths and manifests they keep in `WeakMap`s by `Manifests` or ask each time.
 */
export interface LanguageRules extends LanguageTraits, LanguageHooks {}
