import { z } from 'zod';
import type { CancellationToken } from '../../../base/cancellation';
import type { Folder } from '../folders';
import type { Questions } from '../questions';
import { type HierarchyRow, itemAnswer } from '../rows';
import { type HierarchyItem, toHierarchyItem } from '../toProtocol';

const itemData = z.object({ id: z.string(), folder: z.string() });

interface Place {
  readonly textDocument: { readonly uri: string };
  readonly position: { readonly line: number; readonly character: number };
}

/** What call and type hierarchy have in common: an item at a place, and rows that lead on from an item. */
export class HierarchyQuestions {
  constructor(private readonly questions: Questions) {}

  async prepare(feature: string, { textDocument, position }: Place, token: CancellationToken): Promise<HierarchyItem[] | null> {
    const located = this.questions.folders.locate(textDocument.uri);
    if (located === undefined) return null;
    this.questions.sendTyped();
    const params = { path: located.path, line: position.line + 1, column: position.character };
    const answer = await this.questions.quietly(located.folder, feature, params, itemAnswer, token);
    return answer === undefined || answer === null || answer.item === null ? null : [toHierarchyItem(answer.item, located.folder)];
  }

  async neighbours(
    feature: string,
    item: { readonly data?: unknown },
    shape: z.ZodType<readonly HierarchyRow[]>,
    token: CancellationToken,
  ): Promise<{ readonly item: HierarchyItem; readonly lines: readonly number[] }[]> {
    const data = itemData.safeParse(item.data);
    const folder: Folder | undefined = data.success ? this.questions.folders.get(data.data.folder) : undefined;
    if (!data.success || folder === undefined) return [];
    this.questions.sendTyped();
    const answer = await this.questions.quietly(folder, feature, { id: data.data.id }, shape, token);
    return (answer ?? []).map(row => ({ item: toHierarchyItem(row.item, folder), lines: row.lines }));
  }
}
