import { z } from 'zod';
import type { CancellationToken } from '../../../base/cancellation';
import type { HierarchyRow } from '../../../features/editor/hierarchy';
import type { Folder } from '../folders';
import type { Questions } from '../questions';
import { type HierarchyItem, toHierarchyItem } from '../toProtocol';

const itemData = z.object({ id: z.string(), folder: z.string() });

interface Place {
  readonly textDocument: { readonly uri: string };
  readonly position: { readonly line: number; readonly character: number };
}

/** What call and type hierarchy have in common: an item at a place, and rows that lead on from an item. */
export class HierarchyQuestions {
  constructor(private readonly questions: Questions) {}

  async prepare(
    feature: 'callHierarchyItem' | 'typeHierarchyItem',
    { textDocument, position }: Place,
    token: CancellationToken,
  ): Promise<HierarchyItem[] | null> {
    const located = this.questions.folders.locate(textDocument.uri);
    if (located === undefined) return null;
    this.questions.sendTyped();
    const params = { path: located.path, line: position.line + 1, column: position.character };
    const answer = await this.questions.quietly(located.folder, feature, params, token);
    return answer === undefined || answer.item === null ? null : [toHierarchyItem(answer.item, located.folder)];
  }

  /** Rows that lead on from an item that was given out; none when it is not of a folder that is open. */
  async neighbors(
    item: { readonly data?: unknown },
    ask: (folder: Folder, id: string) => Promise<readonly HierarchyRow[] | undefined>,
  ): Promise<{ readonly item: HierarchyItem; readonly lines: readonly number[] }[]> {
    const data = itemData.safeParse(item.data);
    const folder = data.success ? this.questions.folders.get(data.data.folder) : undefined;
    if (!data.success || folder === undefined) return [];
    this.questions.sendTyped();
    const rows = await ask(folder, data.data.id);
    return (rows ?? []).map(row => ({ item: toHierarchyItem(row.item, folder), lines: row.lines }));
  }
}
