/** Messages between the page of the graph panel and the extension. The page keeps navigation and what it looks like; all else is asked for anew. */
import type { ExplainAnswer, SceneDto, SceneParams, SearchAnswer } from './features';
import type { SceneColoring } from './graphView';

/** What the page asks, by name. Each is answered once, in any order. */
export interface PanelRequests {
  readonly scene: { readonly params: SceneParams & OfThePast; readonly answer: SceneDto };
  readonly details: { readonly params: { readonly id: string } & OfThePast; readonly answer: ExplainAnswer };
  /** States that can be shown in place of the current code, oldest first; `id` is what the graph is about, `''` where that is no symbol or file. */
  readonly timeline: { readonly params: { readonly id: string }; readonly answer: readonly TimelinePoint[] };
  readonly search: { readonly params: { readonly text: string }; readonly answer: SearchAnswer };
  /**
   * Shows the code, with `against` beside what it was in that state. With `follow` only where code is shown beside the graph already, which keeps the focus.
   */
  readonly open: {
    readonly params: {
      readonly path: string;
      readonly line: number;
      readonly beside: boolean;
      readonly follow?: boolean;
      readonly against?: string;
    } & OfThePast;
    readonly answer: null;
  };
  /** Runs a command of the extension on a node. */
  readonly run: { readonly params: { readonly command: PanelCommand; readonly id: string; readonly name: string }; readonly answer: null };
  /** Asks where to and writes a file; `content` is base64 for `png`, text otherwise. The answer is the path, `''` when the user left. */
  readonly save: { readonly params: { readonly format: ExportFormat; readonly name: string; readonly content: string }; readonly answer: string };
  readonly copy: { readonly params: { readonly text: string }; readonly answer: null };
  /** Keeps the view under a name that the user is asked for; `''` when they left. */
  readonly saveView: { readonly params: { readonly state: PanelState; readonly name: string }; readonly answer: string };
  /** Follows the editor's cursor or stops doing so. */
  readonly follow: { readonly params: { readonly on: boolean }; readonly answer: null };
}

/** A state to look at; the current code without it. */
interface OfThePast {
  readonly asOf?: string;
}

/** A state on the timeline. */
export interface TimelinePoint {
  /** What names it in questions. */
  readonly word: string;
  /** Epoch milliseconds. */
  readonly at: number;
  /** A `transaction` is a state between commits that the index recorded. */
  readonly kind: 'commit' | 'transaction' | 'checkpoint';
  /** Subject of the commit, name of the checkpoint, what changed in the transaction. */
  readonly title: string;
  /** Short hash, agent. */
  readonly note?: string;
  /** What the graph is about was changed by it. */
  readonly changes?: true;
}

/** What the page of the graph may ask the extension. */
export type PanelMethod = keyof PanelRequests;
/** What the graph panel has the editor do with a node. */
export type PanelCommand = 'impact' | 'explain' | 'references' | 'knowledge';
export const EXPORT_FORMATS = ['png', 'svg', 'json', 'mermaid', 'markdown'] as const;
/** File formats of a picture. */
export type ExportFormat = (typeof EXPORT_FORMATS)[number];

/** What the page sends. */
export type PageMessage =
  | { readonly type: 'ready' }
  | { readonly type: 'request'; readonly number: number; readonly method: PanelMethod; readonly params: unknown }
  /** Something of the page was refused by its own security policy. */
  | { readonly type: 'violation'; readonly text: string };

/** What the page is sent. */
export type ExtensionMessage =
  | { readonly type: 'reply'; readonly number: number; readonly answer?: unknown; readonly problem?: string }
  /** Shows something else, as a step that can be gone back from. */
  | { readonly type: 'show'; readonly query: SceneParams; readonly folder: string }
  | { readonly type: 'restore'; readonly state: PanelState }
  /** The index has a new revision. */
  | { readonly type: 'revision'; readonly revision: number }
  /** What was asked is answered once the first index is complete. */
  | { readonly type: 'indexing' }
  /** The symbol at the editor's cursor. */
  | { readonly type: 'cursor'; readonly id: string }
  /** An atom was chosen: its files are to be brought out. */
  | { readonly type: 'atom'; readonly id: string }
  /** Atoms or molecules were written. */
  | { readonly type: 'knowledge' };

/** Which nodes and links are shown; absent lists mean all. */
export interface PanelFilters {
  readonly relations?: readonly string[];
  readonly kinds?: readonly string[];
  readonly languages?: readonly string[];
  readonly minConfidence: number;
  readonly tests: boolean;
  readonly externals: boolean;
  /** Views kept by versions before this one have none. */
  readonly knowledge?: boolean;
}

/** Everything that is kept of a panel: where it has been and what it looks like. Never what it showed. */
export interface PanelState {
  readonly version: 1;
  /** URI of the workspace folder it looks at. */
  readonly folder: string;
  readonly history: readonly SceneParams[];
  readonly place: number;
  readonly filters: PanelFilters;
  readonly hidden: readonly string[];
  readonly pinned: readonly string[];
  readonly collapsed: readonly string[];
  readonly follow: boolean;
  /** `kind` when absent. */
  readonly colorBy?: SceneColoring;
  /** The atom whose files are brought out. */
  readonly atom?: string;
  /** The state that is shown; the current code when absent. */
  readonly time?: TimelinePoint;
  readonly panes: {
    readonly filters: boolean;
    readonly side: 'details' | 'list' | 'none';
    readonly legend: boolean;
    readonly map: boolean;
    /** Absent in states of earlier versions. */
    readonly timeline?: boolean;
  };
  readonly camera?: { readonly x: number; readonly y: number; readonly zoom: number };
}
