/** What a layout is asked, and what it answers. */
export interface LayoutNode {
  readonly id: string;
  readonly width: number;
  readonly height: number;
  readonly column: number;
  readonly lane: 'types' | 'main' | 'tests' | 'knowledge';
  readonly parent?: string;
  readonly isBundle: boolean;
}

export interface LayoutRequest {
  readonly layout: 'columns' | 'boxes';
  readonly nodes: readonly LayoutNode[];
  /** `title` is the width that a frame needs for its title. */
  readonly groups: readonly { readonly id: string; readonly parent?: string; readonly title?: number }[];
  readonly edges: readonly { readonly source: string; readonly target: string }[];
  /** Width of the place for the drawing over its height. */
  readonly ratio: number;
  readonly memory?: LayoutMemory;
}

/** Rectangle by its center. */
export interface Rect {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

export interface Caption {
  readonly id: string;
  readonly column?: number;
  readonly lane?: 'types' | 'main' | 'tests' | 'knowledge';
  readonly x: number;
  readonly y: number;
}

/** Slots by node of a layout of columns, rows by child of a layout of boxes. */
export interface LayoutMemory {
  readonly layout: 'columns' | 'boxes';
  readonly rowsPerColumn: number;
  /** Width of each sub-column, by `column:sub`. */
  readonly widths: Readonly<Record<string, number>>;
  readonly slots: Readonly<Record<string, { readonly band: string; readonly column: number; readonly row: number; readonly sub: number }>>;
  readonly rows: Readonly<Record<string, readonly (readonly string[])[]>>;
  /** Groups whose rows stand side by side rather than one below the other. */
  readonly across: readonly string[];
}

export interface Arrangement {
  readonly positions: Readonly<Record<string, { readonly x: number; readonly y: number }>>;
  readonly frames: Readonly<Record<string, Rect>>;
  readonly captions: readonly Caption[];
  readonly memory: LayoutMemory;
}
