import type { Disposable } from '../../base/disposable';
import type { Episode, Learning } from '../../memory/entities';
import { MemoryView } from '../../memory/view';
import type { RecordDraft, Records } from '../../model/records';
import { TextIndex } from './textIndex';

/** What the words of each part count: what was said, what it is called, the code that it names. */
const FIELDS = { content: 1, title: 1, entities: 0.5 } as const;

/** The words of episodes and of learnings, each a source of its own, in step with the records. */
export interface MemorySearch {
  readonly episodes: TextIndex;
  readonly learnings: TextIndex;
}

export function memorySearchOf(records: Records): MemorySearch {
  return records.companion(makeSearch);
}

function makeSearch(records: Records): MemorySearch & Disposable {
  const search = { episodes: new TextIndex(), learnings: new TextIndex() };
  fill(search, records);
  const listening = records.onApplied(drafts => {
    if (drafts.some(({ kind }) => kind === 'memory.restored')) fill(search, records);
    else for (const draft of drafts) note(search, draft);
  });
  return { ...search, dispose: () => listening.dispose() };
}

const PAGE = 1_000;

function fill({ episodes, learnings }: MemorySearch, records: Records): void {
  episodes.clear();
  learnings.clear();
  const view = new MemoryView(records);
  for (let at = 0; ; at += PAGE) {
    const page = view.episodes({ sensitive: true }, PAGE, at);
    for (const episode of page) episodes.put(documentOf(episode));
    if (page.length < PAGE) break;
  }
  for (const learning of view.learnings()) learnings.put(learningDocument(learning));
}

function note({ episodes, learnings }: MemorySearch, { kind, payload }: RecordDraft): void {
  switch (kind) {
    case 'memory.episode':
      return episodes.put(documentOf(payload as Episode));
    case 'memory.episodeRemoved':
      return episodes.remove((payload as { readonly id: string }).id);
    case 'memory.learningRemoved':
      return learnings.remove((payload as { readonly id: string }).id);
    case 'memory.learning': {
      const learning = payload as Learning;
      return learning.supersededBy === null ? learnings.put(learningDocument(learning)) : learnings.remove(learning.id);
    }
    default:
  }
}

function documentOf({ content, entities, id, metadata }: Episode): Parameters<TextIndex['put']>[0] {
  const titles = ['title', 'rationale', 'reason', 'diffSummary', 'errorType', 'stackSummary', 'recoveryAction'].flatMap(key => {
    const value = metadata[key];
    // What the content says already counts once.
    return typeof value === 'string' && !content.includes(value) ? [value] : [];
  });
  return {
    id,
    fields: [
      { text: content, weight: FIELDS.content },
      { text: titles.join('\n'), weight: FIELDS.title },
      { text: entities.join('\n'), weight: FIELDS.entities },
    ],
  };
}

function learningDocument({ content, entities, id }: Learning): Parameters<TextIndex['put']>[0] {
  return {
    id,
    fields: [
      { text: content, weight: FIELDS.content },
      { text: entities.join('\n'), weight: FIELDS.entities },
    ],
  };
}
