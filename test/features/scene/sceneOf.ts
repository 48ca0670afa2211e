import type { SceneDto, SceneParams } from '../../../server/protocol/features';
import { askFeature } from '../../helpers/askFeature';
import type { WorkspaceSketch } from '../../helpers/graphOf';
import { shop } from '../../helpers/shop';
import { type WorkspaceOptions, workspaceOf } from '../../helpers/workspaceOf';

export const total = 'src/pay.ts::total';
export const add = 'src/pay.ts::Till::add';
export const checkout = 'src/checkout.ts::checkout';
export const report = 'src/report.ts::report';
export const testTotal = 'test/pay.test.ts::testTotal';

export async function scene(query: SceneParams, sketch: WorkspaceSketch = shop, options: WorkspaceOptions = {}): Promise<SceneDto> {
  const found = await askFeature('graphScene', workspaceOf(sketch, options), query);
  if (!found.ok) throw new Error(`${found.error.code}: ${found.error.message}`);
  return found.value as SceneDto;
}

/** `id@column` of each node, with `/lane` when it is not the main one. */
export function places({ nodes }: SceneDto): string[] {
  return nodes.map(({ id, column, lane }) => `${id}@${column}${lane === 'main' ? '' : `/${lane}`}`);
}

export function ids({ nodes }: SceneDto): string[] {
  return nodes.map(node => node.id);
}

export function links({ edges }: SceneDto): string[] {
  return edges.map(edge => `${edge.source} > ${edge.target}: ${edge.links.map(link => link.relation).join()}`);
}

/** `hub` is called by twenty functions and uses two types. */
export const hub: WorkspaceSketch = {
  'src/hub.ts': {
    symbols: [{ name: 'hub' }, { name: 'Options', kind: 'interface' }, { name: 'low' }],
    references: [
      { from: 'hub', relation: 'USES_TYPE', to: 'src/hub.ts::Options', line: 1 },
      { from: 'hub', relation: 'CALLS', to: 'src/hub.ts::low', line: 2 },
    ],
  },
  'src/users.ts': {
    symbols: Array.from({ length: 20 }, (_, at) => ({ name: `user${at + 10}` })),
    references: Array.from({ length: 20 }, (_, at) => ({ from: `user${at + 10}`, relation: 'CALLS' as const, to: 'src/hub.ts::hub', line: at + 1 })),
  },
};
