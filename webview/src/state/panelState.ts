import type { SceneNodeDto, SceneParams } from '../../../server/protocol/features';
import type { PanelFilters, PanelRequests, PanelState } from '../../../server/protocol/graphPanel';

export const NO_FILTERS: PanelFilters = { minConfidence: 0, tests: true, externals: false };

export const FIRST_STATE: PanelState = {
  version: 1,
  folder: '',
  history: [],
  place: 0,
  filters: NO_FILTERS,
  hidden: [],
  pinned: [],
  collapsed: [],
  follow: false,
  panes: { filters: false, side: 'details', legend: true, map: true },
};

/** Places that are remembered to go back to. */
const MAX_HISTORY_LENGTH = 50;

/** Goes to a place; what was ahead is forgotten, as in a browser. */
export function visited(state: PanelState, query: SceneParams): PanelState {
  const current = state.history[state.place];
  if (current !== undefined && JSON.stringify(current) === JSON.stringify(query)) return state;
  const history = [...state.history.slice(0, state.place + 1), query].slice(-MAX_HISTORY_LENGTH);
  return { ...state, history, place: history.length - 1, collapsed: [] };
}

/** Changes how the current place is looked at, without making a new one. */
export function refined(state: PanelState, change: Partial<SceneParams>): PanelState {
  const current = state.history[state.place];
  if (current === undefined) return state;
  const history = [...state.history];
  history[state.place] = { ...current, ...change };
  return { ...state, history };
}

export function stepped(state: PanelState, by: number): PanelState {
  const place = Math.max(0, Math.min(state.history.length - 1, state.place + by));
  return place === state.place ? state : { ...state, place, collapsed: [] };
}

/** What to ask for: where the panel is, through its filters, with what is pinned. */
export function questionOf({ history, place, filters, pinned, colorBy = 'kind', atom, time }: PanelState): PanelRequests['scene']['params'] | undefined {
  const current = history[place];
  if (current === undefined) return undefined;
  const { minConfidence, tests, externals, knowledge, ...lists } = filters;
  return {
    ...current,
    ...lists,
    ...(minConfidence > 0 ? { minConfidence } : {}),
    ...(tests ? {} : { tests }),
    ...(externals ? { externals } : {}),
    ...(knowledge === true ? { knowledge } : {}),
    ...(pinned.length > 0 ? { keep: pinned } : {}),
    ...(colorBy === 'kind' ? {} : { colorBy }),
    ...(atom === undefined ? {} : { atom }),
    ...(time !== undefined && supportsPastStates(current.start) ? { asOf: time.word } : {}),
  };
}

/** Kinds of views that can be shown as they were. */
const OF_THE_PAST: ReadonlySet<string> = new Set(['focus', 'impact', 'folder', 'workspace', 'path']);

/** Whether a view can be shown as it was: what compares states has its own. */
export function supportsPastStates(start: string | undefined): boolean {
  return start !== undefined && OF_THE_PAST.has(start);
}

/** The state of the code that is shown, for questions about it; nothing for the current code. */
export function asOfIn({ history, place, time }: PanelState): { readonly asOf?: string } {
  return time !== undefined && supportsPastStates(history[place]?.start) ? { asOf: time.word } : {};
}

/** How code of a comparison with the current code is opened: what was removed as it was, what has changed beside what it was. */
export function olderVersion(
  { history, place }: PanelState,
  { change }: { readonly change?: SceneNodeDto['change'] | undefined },
): { readonly asOf?: string; readonly against?: string } {
  const query = history[place];
  if (query?.start !== 'compare' || query.to !== undefined || change === undefined) return {};
  const older = query.target ?? 'merge-base';
  return change === 'removed' ? { asOf: older } : change === 'added' ? {} : { against: older };
}

export function activeFilters(filters: PanelFilters): number {
  const lists = [filters.relations, filters.kinds, filters.languages].filter(list => list !== undefined).length;
  return lists + Number(filters.minConfidence > 0) + Number(!filters.tests) + Number(filters.externals) + Number(filters.knowledge === true);
}

export function toggled(list: readonly string[], item: string): string[] {
  return list.includes(item) ? list.filter(other => other !== item) : [...list, item];
}
