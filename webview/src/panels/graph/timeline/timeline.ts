import type { TimelinePoint } from '../../../../../server/protocol/graphPanel';
import { supportsPastStates } from '../../../state/panelState';
import { button } from '../../../ui/controls/controls';
import { element, replaceChildren } from '../../../ui/dom';
import type { PanelActions, PanelView } from '../actions';

/** Room that a date needs on the axis, in pixels. */
const DATE_WIDTH = 92;
const DAY_MS = 24 * 3_600_000;
const NOW = 'Current code';

/**
 * States of the code side by side, in order of time and equally far apart, the current code at the right end. A slider for the keyboard and screen readers.
 * Kinds differ in shape: a full circle changed what the graph is about, a hollow one is another commit, a diamond lies between commits, a flag is a checkpoint.
 */
export class Timeline {
  readonly view: HTMLElement;
  readonly #what = element('p', { class: 'timeline-what' });
  readonly #keys = element('ul', { class: 'timeline-keys', 'aria-label': 'Legend of the timeline' });
  readonly #marks = element('div', { class: 'timeline-marks' });
  readonly #dates = element('div', { class: 'timeline-dates', 'aria-hidden': 'true' });
  readonly #thumb = element('span', { class: 'timeline-thumb' });
  readonly #track = element('div', { class: 'timeline-track', role: 'slider', tabindex: 0, 'aria-label': 'State of the code', 'aria-valuemin': 0 });
  readonly #earlier;
  readonly #later;
  readonly #back = element('button', { class: 'link timeline-back', text: 'Back to current code' });
  #points: readonly TimelinePoint[] = [];
  /** Place of what is shown; as many as there are points for the current code. */
  #at = 0;
  #name = '';

  constructor(private readonly actions: PanelActions) {
    this.#earlier = button({ label: 'Previous change', icon: 'back', key: 'Page Down', press: () => this.#toChange(-1) });
    this.#later = button({ label: 'Next change', icon: 'forward', key: 'Page Up', press: () => this.#toChange(1) });
    this.#track.append(element('span', { class: 'timeline-rail' }), this.#marks, this.#thumb, this.#dates);
    const head = element('div', { class: 'timeline-head' }, this.#earlier.element, this.#later.element, this.#what, this.#keys, this.#back);
    this.#back.addEventListener('click', () => {
      // The button goes away.
      this.#track.focus();
      actions.travel(undefined);
    });
    this.view = element('section', { class: 'timeline', 'aria-label': 'Timeline', hidden: true }, head, this.#track);
    this.#track.addEventListener('keydown', event => this.#key(event));
    this.#track.addEventListener('pointerdown', event => {
      this.#track.setPointerCapture(event.pointerId);
      this.#go(this.#under(event));
    });
    this.#track.addEventListener('pointermove', event => {
      const place = this.#under(event);
      if (this.#track.hasPointerCapture(event.pointerId)) this.#go(place);
      else this.#tell(place);
    });
    this.#track.addEventListener('pointerleave', () => this.#tell(this.#at));
    new ResizeObserver(() => this.#drawDates()).observe(this.#track);
  }

  show({ scene, state }: PanelView): void {
    const query = state.history[state.place];
    this.view.hidden = state.panes.timeline !== true || !supportsPastStates(query?.start);
    const isAboutOne = query?.start === 'focus' || query?.start === 'impact';
    this.#name = isAboutOne ? (scene.nodes.find(node => node.id === scene.starts[0])?.label ?? scene.title) : '';
    this.#move(state.time);
  }

  /** What can be shown, oldest first. */
  offer(points: readonly TimelinePoint[], time: TimelinePoint | undefined): void {
    this.#points = points;
    this.#track.setAttribute('aria-valuemax', String(points.length));
    this.#track.setAttribute('aria-disabled', String(points.length === 0));
    replaceChildren(this.#marks, ...points.map((point, place) => this.#mark(classesOf(point), place)), this.#mark('timeline-mark now', points.length));
    this.#move(time);
    this.#drawDates();
    const changes = points.filter(point => point.changes === true).length;
    const of = (kind: TimelinePoint['kind']): boolean => points.some(point => point.kind === kind);
    replaceChildren(
      this.#keys,
      ...key(changes > 0, 'commit changes', this.#name === '' ? 'changed it' : `changed ${this.#name}`),
      ...key(of('commit'), 'commit', changes > 0 ? 'other commit' : 'commit'),
      ...key(of('transaction'), 'transaction', 'indexed between commits'),
      ...key(of('checkpoint'), 'checkpoint', 'checkpoint'),
    );
    this.#earlier.element.hidden = changes === 0;
    this.#later.element.hidden = changes === 0;
  }

  focus(): void {
    this.#track.focus();
  }

  /** Goes so many states on, towards the current code with a positive number. */
  step(by: number): void {
    this.#go(this.#at + by);
  }

  #move(time: TimelinePoint | undefined): void {
    const place = time === undefined ? -1 : this.#points.findIndex(point => point.word === time.word);
    this.#at = place < 0 ? this.#points.length : place;
    this.#thumb.style.left = this.#left(this.#at);
    this.#thumb.hidden = time !== undefined && place < 0;
    this.view.classList.toggle('in-the-past', time !== undefined);
    this.#back.hidden = time === undefined;
    this.#track.setAttribute('aria-valuenow', String(this.#at));
    this.#track.setAttribute('aria-valuetext', textOf(time));
    this.#earlier.setDisabled(this.#change(-1) === undefined);
    this.#later.setDisabled(time === undefined);
    this.#tell(this.#at, time);
  }

  #go(place: number): void {
    const within = Math.max(0, Math.min(this.#points.length, place));
    if (within !== this.#at) this.actions.travel(this.#points[within]);
  }

  /** The nearest change in a direction; after the last one the current code. */
  #change(by: 1 | -1): number | undefined {
    for (let place = this.#at + by; place >= 0 && place < this.#points.length; place += by) if (this.#points[place]?.changes === true) return place;
    return by === 1 ? this.#points.length : undefined;
  }

  #toChange(by: 1 | -1): void {
    const place = this.#change(by);
    if (place !== undefined) this.#go(place);
  }

  #key(event: KeyboardEvent): void {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const acts: Readonly<Record<string, () => void>> = {
      ArrowLeft: () => this.step(-1),
      ArrowDown: () => this.step(-1),
      ArrowRight: () => this.step(1),
      ArrowUp: () => this.step(1),
      PageDown: () => this.#toChange(-1),
      PageUp: () => this.#toChange(1),
      Home: () => this.#go(0),
      End: () => this.#go(this.#points.length),
    };
    const act = Object.hasOwn(acts, event.key) ? acts[event.key] : undefined;
    if (act === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    act();
  }

  #under({ clientX }: PointerEvent): number {
    const { left, width } = this.#track.getBoundingClientRect();
    return Math.floor(((clientX - left) / Math.max(1, width)) * (this.#points.length + 1));
  }

  #left(place: number): string {
    return `${((place + 0.5) / (this.#points.length + 1)) * 100}%`;
  }

  #mark(classes: string, place: number): HTMLElement {
    const made = element('span', { class: classes });
    made.style.left = this.#left(place);
    return made;
  }

  /** Says what a place is, while it is shown or pointed at. */
  #tell(place: number, shown?: TimelinePoint): void {
    const point = shown ?? this.#points[Math.max(0, Math.min(this.#points.length, place))];
    if (point === undefined) {
      const empty = this.#points.length === 0 ? 'No earlier states are known yet.' : 'Move along the timeline to show an earlier state.';
      replaceChildren(this.#what, element('strong', { text: NOW }), ` ${empty}`);
      return;
    }
    const changed = point.changes === true && this.#name !== '' ? [element('span', { class: 'badge', text: `changed ${this.#name}` })] : [];
    replaceChildren(this.#what, element('strong', { text: whenText(point.at) }), ` ${point.title} `, ...noteOf(point), ...changed);
  }

  #drawDates(): void {
    const { width } = this.#track.getBoundingClientRect();
    const first = this.#points[0]?.at ?? 0;
    const days = ((this.#points.at(-1)?.at ?? 0) - first) / DAY_MS;
    const how: Intl.DateTimeFormatOptions = days > 90 ? { month: 'short', year: 'numeric' } : { day: 'numeric', month: 'short' };
    const written: HTMLElement[] = [];
    let previousText = '';
    let free = 0;
    for (const [place, { at }] of this.#points.entries()) {
      const text = new Date(at).toLocaleDateString(undefined, how);
      const x = ((place + 0.5) / (this.#points.length + 1)) * width;
      if (text === previousText || x < free || x > width - DATE_WIDTH) continue;
      const date = element('span', { text });
      date.style.left = this.#left(place);
      written.push(date);
      previousText = text;
      free = x + DATE_WIDTH;
    }
    const now = element('span', { class: 'now', text: 'now' });
    now.style.left = this.#left(this.#points.length);
    replaceChildren(this.#dates, ...written, now);
  }
}

function classesOf({ changes, kind }: TimelinePoint): string {
  return `timeline-mark ${kind}${changes === true ? ' changes' : ''}`;
}

function key(isShown: boolean, classes: string, text: string): HTMLElement[] {
  return isShown ? [element('li', {}, element('span', { class: `timeline-mark ${classes}` }), text)] : [];
}

function noteOf({ note }: TimelinePoint): HTMLElement[] {
  return note === undefined ? [] : [element('code', { text: note })];
}

/** In the reader's own format, to the minute. */
export function whenText(at: number): string {
  return new Date(at).toLocaleString(undefined, { dateStyle: 'medium', timeStyle: 'short' });
}

/** For screen readers, and where there is one line. */
function textOf(point: TimelinePoint | undefined): string {
  if (point === undefined) return NOW;
  const { at, changes, note, title } = point;
  return [whenText(at), title, ...(note === undefined ? [] : [note]), ...(changes === true ? ['changed it'] : [])].join(', ');
}
