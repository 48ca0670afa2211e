import type { SceneDto, SceneNodeDto, SceneParams } from '../../../../server/protocol/features';
import type { ExportFormat, PanelCommand, PanelFilters, PanelState, TimelinePoint } from '../../../../server/protocol/graphPanel';
import type { SceneColoring } from '../../../../server/protocol/graphView';

/** What the parts of the panel can have done; the panel itself does it. */
export interface PanelActions {
  visit(query: SceneParams): void;
  refine(change: Partial<SceneParams>): void;
  step(by: number): void;
  filter(filters: PanelFilters): void;
  select(id: string | undefined): void;
  focusOn(id: string): void;
  open(node: Pick<SceneNodeDto, 'path' | 'line' | 'change'>, beside: boolean): void;
  expand(key: string): void;
  /** Takes back what was expanded around a node or in a group. */
  collapse(id: string): void;
  hide(id: string): void;
  showHidden(): void;
  pin(id: string): void;
  run(command: PanelCommand, node: Pick<SceneNodeDto, 'id' | 'label'>): void;
  exportAs(format: ExportFormat): void;
  copyList(): void;
  saveView(): void;
  rearrange(): void;
  fit(): void;
  zoom(factor: number): void;
  follow(on: boolean): void;
  color(by: SceneColoring): void;
  /** Brings out the files of an atom; `undefined` ends it. */
  showAtom(id: string | undefined): void;
  panes(change: Partial<PanelState['panes']>): void;
  /** Shows the code as it was; `undefined` for the current code. */
  travel(time: TimelinePoint | undefined): void;
  /** Goes so many states on, towards the current code with a positive number. */
  stepInTime(by: number): void;
  showTimeline(isShown: boolean): void;
  announce(text: string): void;
  help(): void;
}

/** What the parts show. */
export interface PanelView {
  readonly state: PanelState;
  /** As answered. */
  readonly scene: SceneDto;
  /** Without what is hidden or closed. */
  readonly visible: SceneDto;
  readonly selected: string | undefined;
}
