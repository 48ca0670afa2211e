import { shownLines } from '../../../server/protocol/shownText';

type Child = Node | string;

interface Attributes {
  readonly class?: string;
  readonly title?: string;
  readonly text?: string;
  readonly on?: Readonly<Record<string, (event: Event) => void>>;
  readonly [attribute: string]: unknown;
}

/** Texts of a page; what nobody sees, or what turns writing around, is written as a code. */
const SHOWN: ReadonlySet<string> = new Set(['title', 'aria-label', 'placeholder']);

/** Makes an element. Text is always set as text, never as HTML. */
export function element<K extends keyof HTMLElementTagNameMap>(tag: K, attributes: Attributes = {}, ...children: readonly Child[]): HTMLElementTagNameMap[K] {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name === 'on') for (const [event, listener] of Object.entries(attributes.on ?? {})) made.addEventListener(event, listener);
    else if (name === 'text') made.textContent = shownLines(String(value));
    else if (value === true) made.setAttribute(name, '');
    else if (typeof value === 'string' || typeof value === 'number') made.setAttribute(name, SHOWN.has(name) ? shownLines(String(value)) : String(value));
  }
  made.append(...children.map(child => (typeof child === 'string' ? shownLines(child) : child)));
  return made;
}

export function replaceChildren(parent: Element, ...children: readonly Child[]): void {
  parent.replaceChildren(...children.map(child => (typeof child === 'string' ? shownLines(child) : child)));
}

export function percent(share: number): string {
  const value = share * 100;
  return `${value >= 99.95 || value === 0 ? value.toFixed(0) : value.toFixed(1)}%`;
}

/** Prose as its writer marked it: what is between backticks is code. */
export function withCode(text: string): Child[] {
  return text.split(/`([^`]+)`/).flatMap((part, at) => (part === '' ? [] : [at % 2 === 1 ? element('code', { text: part }) : part]));
}

/** A name that is broken between its words where there is too little room for it. */
export function withBreaks(name: string): Child[] {
  return name
    .split(/(?<=[/.\s-])|(?<=[a-z\d]_)(?=[a-z\d])|(?<=[a-z\d])(?=[A-Z])/)
    .flatMap((part, place) => (place === 0 ? [part] : [document.createElement('wbr'), part]));
}
