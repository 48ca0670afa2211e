import type { SceneDto } from '../../../../../server/protocol/features';
import type { PanelState, TimelinePoint } from '../../../../../server/protocol/graphPanel';
import { supportsPastStates } from '../../../state/panelState';

/** Asks for the states that the timeline lists, once for each subject and state of the index. */
export class TimelineStates {
  #asked = '';
  #subject = { target: '', id: '' };

  constructor(private readonly ask: (id: string) => Promise<readonly TimelinePoint[]>) {}

  /** The index has changed: the same subject is asked about again. */
  renew(): void {
    this.#asked = '';
  }

  /** The states to choose from; `undefined` when they were asked for already, when another subject overtakes, or where there are none. */
  async pointsFor({ folder, history, panes, place, time }: PanelState, scene: SceneDto | undefined): Promise<readonly TimelinePoint[] | undefined> {
    const query = history[place];
    if (panes.timeline !== true || !supportsPastStates(query?.start)) return undefined;
    const target = query?.start === 'focus' || query?.start === 'impact' ? (query.target ?? '') : '';
    // Of the current code the scene tells the id; it had other ids before.
    if (time === undefined) this.#subject = { target, id: target === '' ? '' : (scene?.starts[0] ?? target) };
    const id = this.#subject.target === target ? this.#subject.id : target;
    const key = `${folder}\n${id}`;
    if (this.#asked === key) return undefined;
    this.#asked = key;
    const points = await this.ask(id).catch(() => []);
    return this.#asked === key ? points : undefined;
  }
}
