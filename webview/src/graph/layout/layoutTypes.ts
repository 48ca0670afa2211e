/** What a layout is asked, and what it answers. */
export interface LayoutNode {
  readonly id: string;
  readonly width: number;
  readonly height: number;
  readonly parent?: string;
}

export interface LayoutRequest {
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

/** How the groups were arranged. */
export interface LayoutMemory {
  /** Rows of each group (the whole picture is the group with the empty name), as ids of its children. */
  readonly rows: Readonly<Record<string, readonly (readonly string[])[]>>;
  /** Groups whose rows stand side by side rather than one below the other. */
  readonly across: readonly string[];
}

export interface LayoutResult {
  readonly positions: Readonly<Record<string, { readonly x: number; readonly y: number }>>;
  readonly frames: Readonly<Record<string, Rect>>;
  readonly memory: LayoutMemory;
}
