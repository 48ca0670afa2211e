import type { ExtensionMessage, PageMessage, PanelMethod, PanelRequests, PanelState } from '../../server/protocol/graphPanel';

interface EditorApi {
  postMessage(message: unknown): void;
  getState(): unknown;
  setState(state: unknown): void;
}

declare function acquireVsCodeApi(): EditorApi;

export type HostMessage = Exclude<ExtensionMessage, { readonly type: 'reply' }>;

/** What stands around the page of the graph and answers for it. */
export interface GraphHost {
  /** The page listens now. */
  ready(): void;
  /** Rejects with a message for people. */
  ask<Method extends PanelMethod>(method: Method, params: PanelRequests[Method]['params']): Promise<PanelRequests[Method]['answer']>;
  /** What was kept for this page, if anything. */
  readonly state: PanelState | undefined;
  keep(state: PanelState): void;
}

/** The editor: the only caller of `acquireVsCodeApi`. */
export class PanelHost implements GraphHost {
  readonly #api: EditorApi = acquireVsCodeApi();
  readonly #waiting = new Map<number, { readonly resolve: (answer: unknown) => void; readonly reject: (problem: Error) => void }>();
  #number = 0;

  constructor(told: (message: HostMessage) => void) {
    window.addEventListener('message', event => {
      const message = event.data as ExtensionMessage;
      if (message.type === 'reply') this.#replied(message);
      else told(message);
    });
    document.addEventListener('securitypolicyviolation', event =>
      this.#post({ type: 'violation', text: `${event.effectiveDirective}: ${event.blockedURI} ${event.sourceFile}:${event.lineNumber} ${event.sample}` }),
    );
  }

  ready(): void {
    this.#post({ type: 'ready' });
  }

  ask<Method extends PanelMethod>(method: Method, params: PanelRequests[Method]['params']): Promise<PanelRequests[Method]['answer']> {
    const number = ++this.#number;
    return new Promise((resolve, reject) => {
      this.#waiting.set(number, { resolve: resolve as (answer: unknown) => void, reject });
      this.#post({ type: 'request', number, method, params });
    });
  }

  get state(): PanelState | undefined {
    const kept = this.#api.getState() as Partial<PanelState> | undefined;
    return kept?.version === 1 ? (kept as PanelState) : undefined;
  }

  keep(state: PanelState): void {
    this.#api.setState(state);
  }

  #replied({ number, answer, problem }: Extract<ExtensionMessage, { readonly type: 'reply' }>): void {
    const waiting = this.#waiting.get(number);
    this.#waiting.delete(number);
    if (problem === undefined) waiting?.resolve(answer);
    else waiting?.reject(new Error(problem));
  }

  #post(message: PageMessage): void {
    this.#api.postMessage(message);
  }
}
