import { beforeAll, expect, test } from 'vitest';
import type { SceneDto, SceneParams } from '../../../server/protocol/features';
import { neverCancelled } from '../../../server/src/base/cancellation';
import { createKnowledge } from '../../../server/src/features/knowledge/edits';
import type { CreateInput } from '../../../server/src/knowledge/writes';
import { askFeature } from '../../helpers/askFeature';
import { memoryRecords, SOMEBODY } from '../../helpers/memoryRecords';
import { shop } from '../../helpers/shop';
import { type MemoryWorkspace, workspaceOf } from '../../helpers/workspaceOf';

const total = 'src/pay.ts::total';
let workspace: MemoryWorkspace;
let till = '';

beforeAll(async () => {
  workspace = workspaceOf(shop, { records: await memoryRecords() });
  const made = async (input: Pick<CreateInput, 'entityType' | 'name'> & Partial<CreateInput>): Promise<string> => {
    const answer = await createKnowledge(workspace, SOMEBODY, { createdByTaskId: 'manual', ...input }, neverCancelled);
    if (!answer.ok) throw new Error(answer.error.message);
    return answer.value.entity?.id ?? '';
  };
  const money = await made({ entityType: 'molecule', name: 'Money' });
  const shopping = await made({ entityType: 'molecule', name: 'Shopping' });
  till = await made({ entityType: 'atom', name: 'Till', paths: ['src/pay.ts'], moleculeId: money });
  await made({ entityType: 'atom', name: 'Cart', paths: ['src/{pay,checkout}.ts'], moleculeId: shopping });
  await made({ entityType: 'atom', name: 'Figures', paths: ['src/report.ts'] });
});

async function scene(query: SceneParams): Promise<SceneDto> {
  const found = await askFeature('graphScene', workspace, query);
  if (!found.ok) throw new Error(`${found.error.code}: ${found.error.message}`);
  return found.value as SceneDto;
}

/** `id: label+label within/parts` */
function shares({ areas }: SceneDto): Readonly<Record<string, string>> {
  const rows = Object.entries(areas?.of ?? {});
  return Object.fromEntries(
    rows.map(([id, { areas: own, within, parts }]) => [id, `${own.map(place => areas?.list[place]?.label).join('+')} ${within}/${parts}`]),
  );
}

test('nodes belong to the molecules of the atoms that cover their file, or to those without one', async () => {
  const found = await scene({ start: 'focus', target: total, colorBy: 'molecule' });
  expect(shares(found)).toEqual({
    [total]: 'Money+Shopping 1/1',
    'src/pay.ts::Till::add': 'Money+Shopping 1/1',
    'src/report.ts::report': 'Atoms without a molecule 1/1',
  });
  expect(found.areas?.list.map(({ label, nodes }) => `${label} ${nodes}`)).toEqual(['Money 2', 'Shopping 2', 'Atoms without a molecule 1']);
  expect((await scene({ start: 'focus', target: total })).areas).toBeUndefined();
});

test.each<[SceneParams, string, string]>([
  [{ start: 'workspace', expand: [] }, 'folder:src', 'Shopping+Atoms without a molecule+Money 2/4'],
  [{ start: 'workspace', groupBy: 'package' }, 'package:', 'Shopping+Atoms without a molecule+Money 2/6'],
])('a group belongs where most of its files do: %j', async (query, id, share) => {
  expect(shares(await scene({ ...query, colorBy: 'molecule' }))[id]).toBe(share);
});

test('communities tell apart what hangs together', async () => {
  const found = await scene({ start: 'focus', target: total, colorBy: 'community' });
  const graph = workspace.current()?.graph;
  const node = graph?.find(total);
  const community = node === undefined ? -1 : graph?.communities().of[node];
  expect(found.areas?.list[found.areas.of[total]?.areas[0] ?? -1]?.id).toBe(`community:${community}`);
  const overview = await scene({ start: 'workspace', expand: [], colorBy: 'community' });
  expect(overview.areas?.of['folder:src']?.areas.length).toBe(1);
});

test('an atom names the nodes whose files it covers', async () => {
  expect((await scene({ start: 'focus', target: total, atom: till })).atom).toEqual({
    id: till,
    name: 'Till',
    files: 1,
    nodes: [total, 'src/pay.ts::Till::add'],
  });
  expect((await scene({ start: 'workspace', expand: [], atom: till })).atom?.nodes).toEqual(['folder:src']);
  expect((await scene({ start: 'workspace', atom: 'atom::gone' })).atom).toBeUndefined();
});
