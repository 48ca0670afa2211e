import { expect, test } from 'vitest';
import type { SceneGroupDto, SceneNodeDto } from '../../../server/protocol/features';
import { tellingLabels } from '../../../webview/src/panels/graph/tellingLabels';

const node = (id: string, label: string, parent?: string) => ({ id, label, ...(parent === undefined ? {} : { parent }) }) as SceneNodeDto;

test('nodes of one name are told apart by the group that holds them', () => {
  const groups = ['core', 'plugin'].map(label => ({ id: `package:${label}`, label }) as SceneGroupDto);
  const nodes = [
    node('1', 'src', 'package:core'),
    node('2', 'src', 'package:plugin'),
    node('3', 'docs', 'package:core'),
    node('4', 'editor'),
    node('5', 'editor'),
  ];
  expect(tellingLabels(nodes, groups)).toEqual(['core/src', 'plugin/src', 'docs', 'editor', 'editor']);
});
