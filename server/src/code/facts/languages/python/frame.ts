import { NONE } from '../../../../model/facts';

/** What the statements of one function body share. */
export interface Body {
  /** Row of `functions`. */
  readonly row: number;
  readonly returns: number[];
  readonly yields: number[];
  /** Where names declared `global` or `nonlocal` bind instead. */
  readonly elsewhere: Map<string, number>;
  /** Decision points; shared with anonymous functions inside. */
  readonly decisions: { count: number };
  readonly parent: Frame;
}

/** What the members of one class share. */
export interface ClassBody {
  readonly symbol: number;
  readonly scope: number;
  readonly isEnum: boolean;
  /** Symbol of each attribute, method and field by name. */
  readonly members: Map<string, number>;
  /** Syntax node of the `self.x` that defines field `x`. */
  readonly definers: ReadonlyMap<string, number>;
}

/** Where a piece of code stands. Replaced, never changed: a guard gives the statements after it a frame of their own. */
export interface Frame {
  /** Scope that names are looked up in. */
  readonly scope: number;
  /** Scope that assignments bind in. */
  readonly home: number;
  readonly kind: 'module' | 'class' | 'function';
  /** Innermost enclosing symbol, or `NONE`. */
  readonly owner: number;
  readonly body: Body | undefined;
  /** The class whose body this is, or whose method. */
  readonly class: ClassBody | undefined;
  /** Name of the parameter that holds the instance or the class. */
  readonly selfName: string;
  /** Interned names that an enclosing guard has narrowed, and the block scope it did so in. */
  readonly narrowed: ReadonlyMap<number, number>;
  /** Symbols of names assigned in `home`, for module and class level. */
  readonly declared: Map<string, number>;
  /** Inside `if TYPE_CHECKING`. */
  readonly typeOnly: boolean;
}

export function moduleFrame(scope: number): Frame {
  return {
    scope,
    home: scope,
    kind: 'module',
    owner: NONE,
    body: undefined,
    class: undefined,
    selfName: '',
    narrowed: new Map(),
    declared: new Map(),
    typeOnly: false,
  };
}
