import { expect, test } from 'vitest';
import type { SceneDto, SceneEdgeDto, SceneNodeDto } from '../../../server/protocol/features';
import { asJson, asMarkdown, asMermaid, asSvg } from '../../../webview/src/exports/exportScene';
import { arrange } from '../../../webview/src/graph/layout/arrangement';
import { changeClasses, drawingOf, layoutRequest, missing, signOf, textOf, visibleScene, wayTo } from '../../../webview/src/graph/present';
import { matches } from '../../../webview/src/panels/graph/matches';
import { activeFilters, FIRST_STATE, questionOf, refined, stepped, visited } from '../../../webview/src/state/panelState';

function node(id: string, more: Partial<SceneNodeDto> = {}): SceneNodeDto {
  return {
    id,
    label: id,
    kind: 'function',
    role: 'step',
    path: 'src/a.ts',
    line: 3,
    language: 'typescript',
    isTest: false,
    column: 1,
    lane: 'main',
    confidence: 1,
    weight: 0,
    signature: '',
    summary: '',
    size: 1,
    reach: [],
    ...more,
  };
}

function edge(source: string, target: string, confidence = 1): SceneEdgeDto {
  return { source, target, count: 1, confidence, links: [{ relation: 'CALLS', count: 1, confidence, provenance: 'scope', line: 4 }] };
}

const scene: SceneDto = {
  layout: 'sheet',
  title: 'Impact of "pay" <now>',
  summary: 'Two dependents.',
  starts: ['pay'],
  nodes: [
    node('pay', { role: 'start', column: 0 }),
    node('till', { parent: 'g', via: { id: 'pay', relation: 'CALLS', line: 4 } }),
    node('desk', { parent: 'g', column: 2, confidence: 0.4, via: { id: 'till', relation: 'CALLS', line: 9 } }),
    node('more', { role: 'bundle', kind: 'bundle', label: '7 more', size: 7, expand: 'depth:2', path: '', line: 0 }),
  ],
  edges: [edge('till', 'pay'), edge('desk', 'till', 0.4)],
  groups: [{ id: 'g', label: 'shop', kind: 'community', size: 2 }],
  expanded: [],
  omitted: { nodes: 7, edges: 0 },
  facets: { relations: ['CALLS'], kinds: ['function'], languages: ['typescript'] },
  risk: 'low',
  stamp: { revision: 3, head: 'abc', pendingFiles: 0 },
};

const drawing = (of: SceneDto) => drawingOf(of, arrange(layoutRequest(of, 1.5, undefined)));

test('what is hidden is gone with its links', () => {
  const visible = visibleScene(scene, { hidden: ['till'], collapsed: [] });
  expect(visible.nodes.map(one => one.id)).toEqual(['pay', 'desk', 'more']);
  expect(visible.edges).toEqual([]);
});

test('a closed group is one node with the links of what is in it', () => {
  const visible = visibleScene(scene, { hidden: [], collapsed: ['g'] });
  expect(visible.nodes.map(one => [one.id, one.size])).toEqual([
    ['pay', 1],
    ['more', 7],
    ['g', 2],
  ]);
  expect(visible.edges.map(one => `${one.source}>${one.target}`)).toEqual(['g>pay']);
  expect(visible.groups).toEqual([]);
});

test('a name says how many neighbors are not shown on either side', () => {
  const reach = [
    { side: 'in' as const, relation: 'CALLS', total: 5, shown: 2, expand: '' },
    { side: 'out' as const, relation: 'CALLS', total: 1, shown: 1, expand: '' },
  ];
  expect(textOf(node('a', { reach }))).toBe('‹3 a');
  expect(missing(node('a', { reach }), 'out')).toBe(0);
  expect(textOf(node('src', { role: 'box', kind: 'folder', size: 4 }))).toBe('src\n4 files');
});

test('certainty is told by line as well as by color', () => {
  const { nodes, edges } = drawing(scene);
  expect(nodes.filter(one => one.classes.includes('maybe')).map(one => one.id)).toEqual(['desk']);
  expect(edges.map(one => one.classes.includes('maybe'))).toEqual([false, true]);
});

test('the evidence of a node leads from the start to it', () => {
  expect(wayTo(scene, 'desk')).toEqual(['pay', 'till', 'desk']);
  expect(wayTo(scene, 'pay')).toEqual(['pay']);
});

test('a scene can be taken away as Markdown, Mermaid, JSON and SVG', () => {
  expect(asMarkdown(scene)).toBe(
    [
      '## Impact of "pay" \\<now\\>',
      '',
      'Two dependents.',
      '',
      '### Changed (1)',
      '',
      '- `pay` function — src/a.ts:3',
      '',
      '### Direct dependents (2)',
      '',
      '- `till` function — src/a.ts:3',
      '- `7 more`',
      '',
      '### Distance 2 (1)',
      '',
      '- `desk` function · possible (40%) — src/a.ts:3',
      '',
      '7 more are not shown.',
      '',
    ].join('\n'),
  );
  expect(asMermaid(scene).split('\n').slice(0, 8)).toEqual([
    'flowchart LR',
    '  subgraph g0["shop"]',
    '    n1["till"]',
    '    n2["desk"]',
    '  end',
    '  n0["pay"]',
    '  n3("7 more")',
    '  n1 -->|calls| n0',
  ]);
  expect(asMermaid(scene)).toContain('n2 -.->|calls| n1');
  expect(JSON.parse(asJson(scene))).toMatchObject({ starts: ['pay'], stamp: { revision: 3 } });
  const colors = { kinds: { code: '#1', type: '#2', file: '#3', data: '#4' } } as never;
  const svg = asSvg(drawing(scene), colors, scene.title);
  expect(svg).toContain('<title>Impact of &quot;pay&quot; &lt;now&gt;</title>');
  expect(svg.match(/<rect /g)).toHaveLength(1 + scene.nodes.length + scene.groups.length);
});

test('history goes back and forth as in a browser', () => {
  const [one, two, three] = ['1', '2', '3'].map(target => ({ start: 'focus' as const, target }));
  if (one === undefined || two === undefined || three === undefined) return;
  const there = visited(visited(FIRST_STATE, one), two);
  expect(visited(there, two)).toBe(there);
  const back = stepped(there, -1);
  expect(questionOf(back)).toEqual(one);
  expect(stepped(back, -1)).toBe(back);
  expect(visited(back, three).history).toEqual([one, three]);
  expect(refined(back, { depth: 2 }).history).toEqual([{ ...one, depth: 2 }, two]);
});

test('a question carries the filters in force and what is pinned, and nothing else', () => {
  const state = { ...visited(FIRST_STATE, { start: 'focus', target: 'a' }), pinned: ['p'] };
  const filters = { minConfidence: 0.8, tests: false, externals: true, kinds: ['method'] };
  expect(questionOf({ ...state, filters })).toEqual({ start: 'focus', target: 'a', keep: ['p'], ...filters });
  expect(activeFilters(filters)).toBe(4);
  expect(activeFilters(FIRST_STATE.filters)).toBe(0);
});

test('where boxes have many links the lightest stay in the background', () => {
  const nodes = ['a', 'b', 'c', 'd'].map(id => node(id, { role: 'box', kind: 'folder', column: 0 }));
  const pairs = nodes.flatMap(one => nodes.filter(other => other !== one).map(other => [one.id, other.id] as const));
  const edges = pairs.map(([source, target], at) => ({ ...edge(source, target), count: at + 1 }));
  const { risk: _risk, ...base } = scene;
  const drawn = drawing({ ...base, layout: 'boxes', nodes, edges, groups: [] });
  const aside = drawn.edges.filter(one => one.classes.includes('aside')).map(one => one.id);
  expect(aside).toHaveLength(8);
  expect(aside).toContain(`${pairs[0]?.[0]}→${pairs[0]?.[1]}`);
  const few = drawing({ ...base, layout: 'boxes', nodes, edges: edges.slice(0, 4), groups: [] });
  expect(few.edges.some(one => one.classes.includes('aside'))).toBe(false);
});

test('what a text names comes before what is merely in a place of that name', () => {
  const nodes = [
    node('parse', { path: 'src/cookie.ts' }),
    node('setCookie'),
    node('CookieOptions'),
    node('Cookie'),
    node('other', { role: 'bundle', label: 'Cookie' }),
  ];
  const { named, placed } = matches(nodes, ' cookie');
  expect(named.map(one => one.id)).toEqual(['Cookie', 'CookieOptions', 'setCookie']);
  expect(placed.map(one => one.id)).toEqual(['parse']);
  expect(matches(nodes, ' ')).toEqual({ named: [], placed: [] });
});

test('a comparison says what became of each node by a sign, a class and a list of its own', () => {
  const compared: SceneDto = {
    ...scene,
    layout: 'boxes',
    groups: [],
    nodes: [node('fresh', { change: 'added' }), node('gone', { change: 'removed', breaking: true }), node('other', { change: 'signature' }), node('user')],
    edges: [
      { ...edge('user', 'gone'), change: 'removed' },
      { ...edge('fresh', 'other'), change: 'added' },
    ],
  };
  const changed = compared.nodes.slice(0, 3);
  expect(changed.map(signOf)).toEqual(['+', '!−', '~']);
  expect(compared.nodes.map(changeClasses)).toEqual([['added'], ['removed', 'breaking'], ['changed'], []]);
  expect(asMarkdown(compared).match(/^### .*/gm)).toEqual(['### Breaking (1)', '### Added (1)', '### Changed (1)', '### Unchanged code that breaks (1)']);
  const endpoint = { change: 'removed', kind: 'endpoint', id: 'e', name: 'GET /a|`b', service: 'sh*p', path: 'a_[b].ts', line: 3 } as const;
  const exported = { ...compared, interfaces: [endpoint] };
  expect(asMarkdown(exported)).toContain("### Endpoints, events and entities (1)\n\n- `GET /a|'b` removed · sh\\*p — a_\\[b\\].ts:3\n");
  expect(JSON.parse(asJson(exported))).toMatchObject({ interfaces: [endpoint] });
});

test.each(['step', 'box', 'start', 'bundle'] as const)('no name of a %s reverses or hides the text after it', role => {
  const evil = 'pay\u202Ext.\u001B[31m';
  expect(textOf(node('a', { label: evil, role }))).toContain('pay\\u{202e}xt.\\u{1b}[31m');
  const named = { ...scene, groups: [{ id: 'g', label: evil, kind: 'community' as const, size: 2 }] };
  const { frames } = drawing(named);
  expect(frames.map(({ label }) => label)).toEqual(['pay\\u{202e}xt.\\u{1b}[31m']);
});
