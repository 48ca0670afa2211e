import { type Failure, type Result } from '../../../server/src/base/result';
import { type KnowledgeView, knowledgeOf } from '../../../server/src/knowledge/view';
import { type AnchorsOf, type CreateInput, create, type DeleteInput, remove, type Saved, type UpdateInput, update } from '../../../server/src/knowledge/writes';
import type { RecordsWritten } from '../../../server/src/model/records';
import { type MemoryRecords, memoryRecords, SOMEBODY } from '../../helpers/memoryRecords';

/** Nothing is named. */
export const UNANCHORED: AnchorsOf = () => [];

export interface Knowing {
  readonly records: MemoryRecords;
  readonly view: KnowledgeView;
  /** Writes that must succeed. */
  atom(name: string, fields?: Partial<CreateInput>): Promise<string>;
  molecule(name: string, fields?: Partial<CreateInput>): Promise<string>;
  /** Writes that may be refused. */
  create(fields: Partial<CreateInput> & Pick<CreateInput, 'entityType'>): Promise<Result<RecordsWritten<Saved>, Failure>>;
  update(fields: Partial<UpdateInput> & Pick<UpdateInput, 'entityType' | 'id' | 'version'>): Promise<Result<RecordsWritten<Saved>, Failure>>;
  remove(input: DeleteInput): ReturnType<typeof remove>;
}

/** Records in memory and short words for writing to them. */
export async function knowing(projectId = 'p', shared?: MemoryRecords): Promise<Knowing> {
  const records = shared ?? (await memoryRecords(projectId));
  const make = (fields: Partial<CreateInput> & Pick<CreateInput, 'entityType'>) =>
    create(records, SOMEBODY, { name: 'x', createdByTaskId: 'manual', ...(fields.entityType === 'atom' ? { paths: ['src/**'] } : {}), ...fields }, UNANCHORED);
  const made = async (fields: Partial<CreateInput> & Pick<CreateInput, 'entityType'>): Promise<string> => {
    const written = await make(fields);
    if (!written.ok) throw new Error(written.error.message);
    return written.value.result.id;
  };
  return {
    records,
    view: knowledgeOf(records),
    atom: (name, fields = {}) => made({ entityType: 'atom', name, ...fields }),
    molecule: (name, fields = {}) => made({ entityType: 'molecule', name, ...fields }),
    create: make,
    update: fields => update(records, SOMEBODY, { knowledgeMode: 'overwrite', lastTaskId: 'manual', ...fields }, UNANCHORED),
    remove: input => remove(records, SOMEBODY, input),
  };
}
