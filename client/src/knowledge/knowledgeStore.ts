import type { Uri } from 'vscode';
import type { AtomAnswer, GetAnswer, GetParams, KnowledgeVersion, MoleculeAnswer } from '../../../server/protocol/features';
import type { AnswerDto, DataOf, ToolInput } from '../../../server/protocol/requests';
import { succeeded } from '../answers';
import type { LatticeServer } from '../languageClient/latticeServer';

/** What is stored of an atom or a molecule. */
export type Entity = AtomAnswer | MoleculeAnswer;

export type EntityType = 'atom' | 'molecule';

/** One atom or molecule of a folder. */
export interface EntityRef {
  readonly id: string;
  readonly folder: Uri;
}

type Written = AnswerDto<DataOf<'manage_graph'>>;

/** What a write that was not refused has stored. */
export function savedIn({ envelope }: Written): { readonly id: string; readonly version: number } {
  if (envelope.ok && envelope.data !== undefined && 'id' in envelope.data) return envelope.data;
  throw new Error('The knowledge was not saved.');
}

/** A person in the editor writes without a task. */
const NO_TASK = 'manual';

export function typeOf(id: string): EntityType {
  return id.startsWith('molecule::') ? 'molecule' : 'atom';
}

/** What of an entity is written. */
export type Fields = Omit<ToolInput<'manage_graph'>, 'operation' | 'entityType' | 'id' | 'version'>;

/** Reads and writes knowledge for people; a refused write is a `Refusal`, except where the answer is wanted as it is. */
export class KnowledgeStore {
  constructor(private readonly server: LatticeServer) {}

  /** As it is, or as it stood in a version. */
  async get(ref: EntityRef, version?: number): Promise<Entity> {
    return entityIn(await this.read(ref, version === undefined ? {} : { version }));
  }

  /** Versions newest first. */
  async history(ref: EntityRef): Promise<{ readonly entity: Entity; readonly versions: readonly KnowledgeVersion[] }> {
    const answer = await this.read(ref, { history: true });
    return { entity: entityIn(answer), versions: answer.history ?? [] };
  }

  /** Id of what was made. */
  async create(folder: Uri, entityType: EntityType, fields: Fields): Promise<string> {
    const answer = succeeded(await this.write(folder, { operation: 'create', entityType, createdByTaskId: NO_TASK, ...fields }));
    return savedIn(answer).id;
  }

  /** The answer as it is: the caller looks at `CONFLICT` itself. */
  tryUpdate({ id, folder }: EntityRef, version: number, fields: Fields): Promise<Written> {
    return this.write(folder, { operation: 'update', entityType: typeOf(id), id, version, lastTaskId: NO_TASK, ...fields });
  }

  async update(ref: EntityRef, version: number, fields: Fields): Promise<void> {
    succeeded(await this.tryUpdate(ref, version, fields));
  }

  async delete({ id, folder }: EntityRef, version: number, cascade: boolean): Promise<void> {
    succeeded(await this.write(folder, { operation: 'delete', entityType: typeOf(id), id, version, cascade }));
  }

  async log({ id, folder }: EntityRef, summary: string): Promise<void> {
    const entry = { parentType: typeOf(id), parentId: id, taskId: NO_TASK, summary };
    succeeded(await this.server.callTool('manage_changelog', { operation: 'append', ...entry }, { uri: folder.toString() }));
  }

  private read({ id, folder }: EntityRef, params: Pick<GetParams, 'history' | 'version'>): Promise<GetAnswer> {
    return this.server.ask('knowledgeEntity', { entityType: typeOf(id), id, includeChangelog: false, ...params }, folder);
  }

  private write(folder: Uri, input: ToolInput<'manage_graph'>): Promise<Written> {
    return this.server.callTool('manage_graph', input, { uri: folder.toString() });
  }
}

function entityIn(answer: GetAnswer): Entity {
  return 'atom' in answer ? answer.atom : answer.molecule;
}
