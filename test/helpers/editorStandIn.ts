/**
 * As much of the editor's API as the client's questions need, for `vi.mock('vscode', …)`. What a person would do stands in `person`: one answer for each
 * question, in order; each question that was asked is kept.
 */
type Answer = (rows: readonly Row[], question: Question) => unknown;

interface Row {
  readonly label: string;
  readonly description?: string;
  readonly detail?: string;
  readonly kind?: number;
}

/** What a question says, and whatever else it was asked with. */
interface Options {
  readonly title?: string;
  readonly placeHolder?: string;
  readonly prompt?: string;
  readonly modal?: boolean;
  readonly detail?: string;
}

interface Question {
  readonly kind: 'pick' | 'input' | 'message';
  readonly title: string;
  /** Of a pick its rows, of a message its buttons. */
  readonly rows: readonly Row[];
  readonly text: string;
  readonly options: Options;
}

class Person {
  asked: Question[] = [];
  answers: Answer[] = [];

  /** Begins anew with these answers; a text picks the row whose label ends so, or is typed; `undefined` leaves the question. */
  will(...answers: readonly (Answer | string | undefined)[]): void {
    this.asked = [];
    this.answers = answers.map(answer => (typeof answer === 'function' ? answer : (rows, { kind }) => (kind === 'pick' ? chosen(rows, answer) : answer)));
  }

  async answer(question: Question): Promise<unknown> {
    this.asked.push(question);
    const answer = this.answers.shift();
    if (answer === undefined) throw new Error(`nobody answers "${question.title}${question.text}"`);
    return answer(question.rows, question);
  }
}

function chosen(rows: readonly Row[], label: string | undefined): Row | undefined {
  if (label === undefined) return undefined;
  const row = rows.find(each => each.label.endsWith(label));
  if (row === undefined) throw new Error(`no row ends with "${label}" but ${rows.map(each => each.label).join(', ')}`);
  return row;
}

export const person = new Person();

export class Address {
  constructor(
    readonly scheme: string,
    readonly path: string,
    readonly query = '',
    readonly fragment = '',
  ) {}
  get fsPath(): string {
    return this.path;
  }
  toString(): string {
    return `${this.scheme}://${this.path}${this.query === '' ? '' : `?${this.query}`}${this.fragment === '' ? '' : `#${this.fragment}`}`;
  }
  with({ fragment = this.fragment }: { readonly fragment?: string }): Address {
    return new Address(this.scheme, this.path, this.query, fragment);
  }
  static file(path: string): Address {
    return new Address('file', path);
  }
  static parse(text: string): Address {
    const [scheme = '', path = ''] = text.split('://');
    return new Address(scheme, path);
  }
  static from({ path = '', query = '', scheme }: { readonly scheme: string; readonly path?: string; readonly query?: string }): Address {
    return new Address(scheme, path, query);
  }
  static joinPath(base: Address, ...parts: readonly string[]): Address {
    return new Address(base.scheme, [base.path, ...parts].join('/'));
  }
}

class Emitter<Event> {
  readonly #listeners = new Set<(event: Event) => unknown>();
  readonly event = (listener: (event: Event) => unknown): { dispose(): void } => {
    this.#listeners.add(listener);
    return { dispose: () => this.#listeners.delete(listener) };
  };
  fire(event: Event): void {
    for (const listener of this.#listeners) listener(event);
  }
  dispose(): void {
    this.#listeners.clear();
  }
}

class Place {
  constructor(
    readonly line: number,
    readonly character: number,
  ) {}
}

class Span {
  constructor(
    readonly start: unknown,
    readonly end: unknown,
  ) {}
}

/** Settings by key; the user's changes are written here. */
export const settings = new Map<string, unknown>();
/** Commands that were registered, and those that were called. */
export const registered = new Map<string, (...args: unknown[]) => unknown>();
export const called: [string, ...unknown[]][] = [];

const message = (text: string, ...rest: readonly unknown[]): Promise<unknown> => {
  const buttons = rest.filter((item): item is string => typeof item === 'string');
  const options = rest.find((item): item is Options => typeof item === 'object') ?? {};
  // Whoever only wants to tell something waits for no answer.
  if (buttons.length === 0) {
    person.asked.push({ kind: 'message', title: '', rows: [], text, options });
    return Promise.resolve(undefined);
  }
  return person.answer({ kind: 'message', title: '', rows: buttons.map(label => ({ label })), text, options });
};

/** `workspaceFolders`, `isTrusted` and `activeTextEditor` are set by tests. */
export const editor = {
  Uri: Address,
  EventEmitter: Emitter,
  Position: Place,
  Range: Span,
  Selection: Span,
  MarkdownString: class {
    value = '';
    appendText(text: string): this {
      this.value += text;
      return this;
    }
    appendMarkdown(text: string): this {
      this.value += text;
      return this;
    }
    appendCodeblock(text: string): this {
      this.value += text;
      return this;
    }
  },
  ThemeColor: class {
    constructor(readonly id: string) {}
  },
  ThemeIcon: class {
    static readonly File = {};
    constructor(
      readonly id: string,
      readonly color?: { readonly id: string },
    ) {}
  },
  TreeItem: class {
    constructor(
      readonly label: string,
      readonly collapsibleState: number,
    ) {}
  },
  TreeItemCollapsibleState: { None: 0, Collapsed: 1, Expanded: 2 },
  QuickPickItemKind: { Separator: -1, Default: 0 },
  ConfigurationTarget: { Global: 1, Workspace: 2 },
  ProgressLocation: { Window: 10 },
  ViewColumn: { Active: -1, Beside: -2, One: 1 },
  FileType: { File: 1, Directory: 2 },
  commands: {
    registerCommand: (id: string, run: (...args: unknown[]) => unknown) => {
      registered.set(id, run);
      return { dispose: () => registered.delete(id) };
    },
    executeCommand: async (id: string, ...args: unknown[]) => {
      called.push([id, ...args]);
    },
  },
  env: { clipboard: { writeText: async () => undefined } },
  window: {
    activeTextEditor: undefined as unknown,
    visibleTextEditors: [] as readonly unknown[],
    showQuickPick: async (given: readonly Row[] | Promise<readonly Row[]>, options: Options = {}) =>
      person.answer({ kind: 'pick', title: options.title ?? '', rows: await given, text: options.placeHolder ?? '', options }),
    showInputBox: (options: Options = {}) => person.answer({ kind: 'input', title: options.title ?? '', rows: [], text: options.prompt ?? '', options }),
    showInformationMessage: message,
    showWarningMessage: message,
    showErrorMessage: message,
    setStatusBarMessage: () => ({ dispose: () => undefined }),
    withProgress: (_options: unknown, run: () => unknown) => run(),
  },
  workspace: {
    isTrusted: true,
    workspaceFolders: [] as readonly { readonly name: string; readonly uri: Address; readonly index: number }[],
    getConfiguration: () => ({
      get: (key: string, fallback: unknown) => (settings.has(key) ? settings.get(key) : fallback),
      update: async (key: string, value: unknown) => {
        settings.set(key, value);
      },
    }),
    getWorkspaceFolder: () => undefined,
    asRelativePath: (given: Address | string) => String(given),
    registerTextDocumentContentProvider: () => ({ dispose: () => undefined }),
  },
};
