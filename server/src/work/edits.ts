import { err, ok, type Result } from '../base/result';
import type { Author, RecordDraft, Records } from '../model/records';
import type { Container, Dependency, Section, Tag, Template } from './entities';
import { conflict, type WorkFailure } from './failures';
import type { Versioned } from './tables';
import { WorkView } from './view';

/** What a decision is made with: the view that holds every earlier write, who writes, and when. */
export class Edit {
  readonly view: WorkView;
  readonly drafts: RecordDraft[] = [];
  /** ISO-8601. */
  readonly at: string;

  constructor(
    private readonly records: Pick<Records, 'query' | 'projectId' | 'now' | 'newId'>,
    readonly agentId: Author['agentId'],
  ) {
    this.view = new WorkView(records);
    this.at = new Date(records.now()).toISOString();
  }

  get projectId(): string {
    return this.records.projectId;
  }

  newId(kind: 'feature' | 'task' | 'section' | 'template' | 'tag'): string {
    return `${kind}::${this.records.newId()}`;
  }

  /** Writes the first version. */
  add<T extends Container | Section>(entity: T): T {
    return this.#put(entity, undefined, undefined);
  }

  /** Writes the next version of what `before` was. */
  revise<T extends Container | Section>(before: T, after: T, reason?: string): T {
    return this.#put({ ...after, version: before.version + 1, updatedAt: this.at }, before, reason);
  }

  remove(entity: Container | Section): void {
    const { id } = entity;
    this.drafts.push(
      isSection(entity)
        ? { kind: 'work.sectionRemoved', payload: { id, containerId: entity.containerId } }
        : { kind: 'work.containerRemoved', payload: { id } },
    );
  }

  link(dependency: Dependency): void {
    this.drafts.push({ kind: 'work.dependency', payload: dependency });
  }

  unlink(fromId: string, toId: string): void {
    this.drafts.push({ kind: 'work.dependencyRemoved', payload: { fromId, toId } });
  }

  putTemplate(template: Template): void {
    this.drafts.push({ kind: 'work.template', payload: template });
  }

  removeTemplate(id: string): void {
    this.drafts.push({ kind: 'work.templateRemoved', payload: { id } });
  }

  putTag(tag: Tag): void {
    this.drafts.push({ kind: 'work.tag', payload: tag });
  }

  removeTag(id: string): void {
    this.drafts.push({ kind: 'work.tagRemoved', payload: { id } });
  }

  #put<T extends Container | Section>(entity: T, before: T | undefined, reason: string | undefined): T {
    const payload: Versioned<T> = { entity, changedFields: changedFields(before, entity), agentId: this.agentId ?? null, reason: reason?.trim() ?? null };
    this.drafts.push({ kind: isSection(entity) ? 'work.section' : 'work.container', payload });
    return entity;
  }
}

/** Optimistic locking: the version that the writer knows must be the one that is. */
export function checkVersion(entity: { readonly id: string; readonly version: number }, given: number | undefined): Result<void, WorkFailure> {
  return given === undefined || given === entity.version ? ok(undefined) : err(conflict(entity.id, given, entity.version));
}

/** Names of the fields that differ, without the bookkeeping of each write; of a first version, the fields that say something. */
function changedFields<T extends Container | Section>(before: T | undefined, after: T): string[] {
  const BOOKKEEPING = ['id', 'projectId', 'type', 'containerId', 'version', 'createdAt', 'updatedAt'];
  return Object.entries(after)
    .filter(([field]) => !BOOKKEEPING.includes(field))
    .filter(([field, value]) => (before === undefined ? hasContent(value) : JSON.stringify(value) !== JSON.stringify(before[field as keyof T])))
    .map(([field]) => field);
}

function hasContent(value: unknown): boolean {
  return value !== null && value !== '' && !(Array.isArray(value) && value.length === 0);
}

function isSection(entity: Container | Section): entity is Section {
  return 'containerId' in entity;
}
