import { type CallHierarchyItem, CallHierarchyPrepareRequest } from 'vscode-languageserver/node';
import { z } from 'zod';
import type { CancellationToken } from '../../base/cancellation';
import type { Disposable } from '../../base/disposable';
import type { LspConnection } from '../lspConnection';
import type { Folder } from './folders';
import { answering, type Questions } from './questions';
import { callsAnswer, itemAnswer } from './rows';
import { toCallHierarchyItem, toLineRange } from './toProtocol';

/** Editor ids of the languages in the graph. */
const LANGUAGES: readonly string[] = ['typescript', 'typescriptreact', 'javascript', 'javascriptreact', 'python'];

const itemData = z.object({ id: z.string(), folder: z.string() });

export type CallHierarchySetting = 'auto' | 'always' | 'never';

/** Offers call hierarchy for the languages where it is wanted; registered at run time, because that may change. */
export class CallHierarchyDoor {
  #registered = '';
  #registration: Promise<Disposable> | undefined;
  #setting: CallHierarchySetting = 'auto';
  #unserved: readonly string[] = [];

  constructor(
    private readonly connection: LspConnection,
    private readonly questions: Questions,
  ) {
    const { callHierarchy } = connection.languages;
    callHierarchy.onPrepare((params, token) => answering(() => this.#prepare(params.textDocument.uri, params.position.line, params.position.character, token)));
    callHierarchy.onIncomingCalls((params, token) =>
      answering(async () => {
        const found = await this.#calls('incomingCalls', params.item, token);
        return found.map(({ item, lines }) => ({ from: item, fromRanges: lines.map(toLineRange) }));
      }),
    );
    callHierarchy.onOutgoingCalls((params, token) =>
      answering(async () => {
        const found = await this.#calls('outgoingCalls', params.item, token);
        return found.map(({ item, lines }) => ({ to: item, fromRanges: lines.map(toLineRange) }));
      }),
    );
  }

  set setting(value: CallHierarchySetting) {
    this.#setting = value;
    this.#refresh();
  }

  /** Languages for which no other extension gives call hierarchy. */
  set unserved(languages: readonly string[]) {
    this.#unserved = languages;
    this.#refresh();
  }

  #refresh(): void {
    const wanted = this.#setting === 'always' ? LANGUAGES : this.#setting === 'never' ? [] : LANGUAGES.filter(language => this.#unserved.includes(language));
    const key = wanted.join();
    if (key === this.#registered) return;
    this.#registered = key;
    const before = this.#registration;
    const selector = wanted.map(language => ({ scheme: 'file', language }));
    const next = wanted.length === 0 ? undefined : this.connection.client.register(CallHierarchyPrepareRequest.type, { documentSelector: selector });
    this.#registration = next;
    before?.then(registration => registration.dispose()).catch(() => undefined);
    next?.catch(() => undefined);
  }

  async #prepare(uri: string, line: number, column: number, token: CancellationToken): Promise<CallHierarchyItem[] | null> {
    const located = this.questions.folders.locate(uri);
    if (located === undefined) return null;
    const params = { path: located.path, line: line + 1, column };
    const answer = await this.questions.quietly(located.folder, 'callHierarchyItem', params, itemAnswer, token);
    return answer === undefined || answer === null ? null : [toCallHierarchyItem(answer.item, located.folder)];
  }

  async #calls(
    feature: string,
    item: CallHierarchyItem,
    token: CancellationToken,
  ): Promise<{ readonly item: CallHierarchyItem; readonly lines: readonly number[] }[]> {
    const data = itemData.safeParse(item.data);
    const folder: Folder | undefined = data.success ? this.questions.folders.get(data.data.folder) : undefined;
    if (!data.success || folder === undefined) return [];
    const answer = await this.questions.quietly(folder, feature, { id: data.data.id }, callsAnswer, token);
    return (answer?.calls ?? []).map(call => ({ item: toCallHierarchyItem(call.item, folder), lines: call.lines }));
  }
}
