/** Controls of the editor's look. The rest of the page knows these functions and not the library behind them. */
import { type IconName, icon } from '../icons';

/** What the library's elements have beside an `HTMLElement`. */
interface ControlElement extends HTMLElement {
  value: string;
  checked: boolean;
  disabled: boolean;
}

interface ButtonOptions {
  readonly label: string;
  readonly icon?: IconName;
  /** Shows the label as text, not only to screen readers and as a tooltip. */
  readonly text?: boolean;
  readonly primary?: boolean;
  readonly key?: string;
  readonly press: () => void;
}

export interface Button {
  readonly element: HTMLElement;
  setDisabled(disabled: boolean): void;
  /** For buttons that stay pressed. */
  setPressed(pressed: boolean): void;
}

export function button({ label, icon: name, text = false, primary = false, key, press }: ButtonOptions): Button {
  const made = document.createElement('vscode-button') as ControlElement;
  made.setAttribute('appearance', text ? (primary ? 'primary' : 'secondary') : 'icon');
  made.setAttribute('aria-label', label);
  made.title = key === undefined ? label : `${label} (${key})`;
  if (name !== undefined) {
    const picture = icon(name);
    if (text) picture.setAttribute('slot', 'start');
    made.append(picture);
  }
  if (text) made.append(label);
  made.addEventListener('click', press);
  return {
    element: made,
    setDisabled: disabled => {
      made.disabled = disabled;
    },
    setPressed: pressed => {
      made.setAttribute('aria-pressed', String(pressed));
      made.classList.toggle('pressed', pressed);
    },
  };
}

export function checkbox(label: string, checked: boolean, change: (checked: boolean) => void): HTMLElement {
  const made = document.createElement('vscode-checkbox') as ControlElement;
  made.textContent = label;
  if (checked) made.setAttribute('checked', '');
  made.setAttribute('current-checked', String(checked));
  made.addEventListener('change', () => change(made.checked));
  return made;
}

export interface Dropdown {
  readonly element: HTMLElement;
  setValue(value: string): void;
}

export function dropdown(label: string, options: readonly (readonly [value: string, text: string])[], change: (value: string) => void): Dropdown {
  const made = document.createElement('vscode-dropdown') as ControlElement;
  made.setAttribute('aria-label', label);
  made.title = label;
  for (const [value, text] of options) {
    const option = document.createElement('vscode-option') as ControlElement;
    option.setAttribute('value', value);
    option.textContent = text;
    made.append(option);
  }
  made.addEventListener('change', () => change(made.value));
  return {
    element: made,
    setValue: value => {
      made.value = value;
    },
  };
}

export interface TextField {
  readonly element: HTMLElement;
  value(): string;
  setValue(value: string): void;
}

/** `hint` stands in the empty field; there may be little room. */
export function textField(label: string, hint: string, input: (value: string) => void): TextField {
  const made = document.createElement('vscode-text-field') as ControlElement;
  // The library names a field after its text, and every field without one "Text field".
  made.textContent = label;
  made.setAttribute('placeholder', hint);
  made.addEventListener('input', () => input(made.value));
  return {
    element: made,
    value: () => made.value ?? '',
    setValue: value => {
      made.value = value;
    },
  };
}

export function progressRing(label: string): HTMLElement {
  const made = document.createElement('vscode-progress-ring');
  made.setAttribute('aria-label', label);
  return made;
}
