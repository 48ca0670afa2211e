declare const brand: unique symbol;

/** A number that stands for one kind of thing: the compiler keeps it apart from numbers that stand for others. Costs nothing at run time. */
export type Branded<Name extends string> = number & { readonly [brand]: Name };
