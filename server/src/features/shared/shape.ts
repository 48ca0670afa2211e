import { z } from 'zod';
import { SOURCES, type SourceName } from '../../model/evidence';
import { KINDS, type Kind } from '../../model/kinds';
import { LANGUAGES, type LanguageId } from '../../model/languages';
import { MODIFIERS, type Modifier, NODE_TYPES, SYMBOL_KINDS } from '../../model/nodes';
import { RELATIONS, type Relation } from '../../model/relations';

/**
 * What params and answers of features are made of. A shape is made when it is first asked for: sixty features cost a start nothing,
 * and answers are compared with theirs in tests only.
 */
export type Shape<Type extends z.ZodType = z.ZodType> = () => Type;

/** A shape that is made when it is first asked for: most processes check few of them. */
export function shape<Type extends z.ZodType>(make: () => Type): Shape<Type> {
  let made: Type | undefined;
  return () => (made ??= make());
}

/** Plain data that nobody may change. */
export type Plain<Value> = Value extends string | number | boolean | null | undefined
  ? Value
  : unknown extends Value
    ? Value
    : { readonly [Key in keyof Value]: Plain<Value[Key]> };

/** The type of what a shape describes. */
export type Shaped<Of extends Shape> = Plain<z.output<ReturnType<Of>>>;

/** The type of what may be given where a shape is read. */
export type InputOf<Of extends Shape> = Plain<z.input<ReturnType<Of>>>;

/** An object with these fields and no others. */
export const object = z.strictObject;
/** An object with these fields, and others beside them that its readers leave alone. */
export const open = z.looseObject;
/** A field that may be missing. */
export const optional = z.exactOptional;
/** A field that is there, and may be `undefined`. */
export const unset = <Type extends z.ZodType>(type: Type) => z.union([type, z.undefined()]);

/** One of the values of a table, as its own type. */
function oneOf<Value extends string>(values: readonly Value[]) {
  return z.enum(values as readonly [Value, ...Value[]]);
}

/** Name of a relation. */
export const relationShape = shape(() => oneOf<Relation>(RELATIONS.map(row => row.name)));
/** Where an edge comes from. */
export const sourceShape = shape(() => oneOf<SourceName>(SOURCES.map(row => row.name)));
/** Id of a language. */
export const languageShape = shape(() => oneOf<LanguageId>(LANGUAGES.map(row => row.id)));
/** Name of a modifier. */
export const modifierShape = shape(() => oneOf(Object.keys(MODIFIERS) as Modifier[]));
/** Kind of a symbol. */
export const symbolKindShape = shape(() => oneOf(SYMBOL_KINDS));
/** What a node is: file, symbol, external or of a layer above. */
export const nodeTypeShape = shape(() => oneOf(NODE_TYPES));
/** Kind of a node of any layer. */
export const kindShape = shape(() => oneOf<Kind>(KINDS.map(row => row.name)));
/** How risky a change is. */
export const riskShape = shape(() => z.enum(['low', 'medium', 'high']));

/** What nodes and edges of layers above the code say of themselves. */
export const attributesShape = shape(() => z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.array(z.string()), z.null()])));

/** What an answer is based on. */
export const stampShape = shape(() =>
  object({
    revision: z.number(),
    /** Twelve hexadecimal digits; `''` without git. */
    head: z.string(),
    pendingFiles: z.number(),
    unresolved: optional(z.number()),
    unsavedFiles: optional(z.number()),
    staleFiles: optional(z.number()),
    stale: optional(z.array(z.string())),
    degraded: optional(z.array(z.enum(['contents', 'history', 'vectors']))),
    /** Time of the commit that the answer speaks of, in epoch milliseconds; absent for the present. */
    asOf: optional(z.number()),
    missingFiles: optional(z.number()),
  }),
);

/** How far an index is. */
export const indexProgressShape = shape(() =>
  object({
    /** `failed` needs `problem`; `ready` with one can be asked, but could not be saved. */
    phase: z.enum(['starting', 'scanning', 'parsing', 'resolving', 'saving', 'ready', 'failed']),
    done: z.number(),
    total: z.number(),
    problem: optional(z.string()),
    /** What goes on behind an index that is ready, in words. */
    background: optional(z.string()),
  }),
);

/** What the watcher of a checkout is doing. */
export const watcherStateShape = shape(() => z.enum(['not_started', 'idle', 'detecting', 'debouncing', 'rebuilding']));

/** How many sites lead to no node of the workspace. */
export const unresolvedCountsShape = shape(() =>
  object({
    unresolved: z.number(),
    external: z.number(),
    /** Sites with at least one candidate. */
    resolved: z.number(),
  }),
);

/** An answer that says what it was computed from. */
export function stamped<Fields extends z.core.$ZodLooseShape>(answer: Shape<z.ZodObject<Fields, z.core.$strict>>) {
  return shape(() => object({ ...answer().shape, stamp: stampShape() }));
}
