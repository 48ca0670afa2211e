import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { SETTINGS } from '../../../server/protocol/settings';
import { languageModelTools } from '../../../server/src/tools/manifest';

const root = join(import.meta.dirname, '..', '..', '..');
const read = (path: string): string => readFileSync(join(root, path), 'utf8');
const json = (path: string): Record<string, never> => JSON.parse(read(path)) as Record<string, never>;

interface ContributedSetting {
  readonly markdownDescription: string;
  readonly enum?: readonly string[];
  readonly markdownEnumDescriptions?: readonly string[];
}

interface Contributes {
  readonly commands: readonly { readonly command: string; readonly title: string }[];
  readonly menus: Readonly<Record<string, readonly { readonly command: string; readonly when?: string }[]>>;
  readonly keybindings: readonly { readonly command: string; readonly when?: string; readonly mac?: string }[];
  readonly walkthroughs: readonly {
    readonly steps: readonly {
      readonly media: { readonly svg?: string; readonly image?: Readonly<Record<string, string>> };
      readonly completionEvents: readonly string[];
    }[];
  }[];
  readonly configuration: readonly { readonly title: string; readonly properties: Readonly<Record<string, ContributedSetting>> }[];
  readonly chatSkills: readonly { readonly path: string }[];
}

const { contributes } = json('package.json') as unknown as { readonly contributes: Contributes };

test('every text of the manifest is in package.nls.json, and every text there is used', () => {
  const texts = Object.keys(json('package.nls.json'));
  const used = [...read('package.json').matchAll(/"%([^"%]+)%"/g)].map(match => match[1] ?? '');
  expect(used.filter(key => !texts.includes(key))).toEqual([]);
  expect(texts.filter(key => !used.includes(key))).toEqual([]);
});

test('menus and keys name commands that there are', () => {
  const known = new Set(contributes.commands.map(row => row.command));
  const rows = [...Object.values(contributes.menus).flat(), ...contributes.keybindings].filter(row => row.command !== undefined);
  expect(rows.map(row => row.command).filter(command => !known.has(command))).toEqual([]);
  expect(contributes.keybindings.filter(row => row.when === undefined || row.mac === undefined)).toEqual([]);
});

test('graphs of services are offered until the first index tells that there are no services', () => {
  const rows = contributes.menus['commandPalette']?.filter(({ command }) => ['lattice.openServiceGraph', 'lattice.openFlowGraph'].includes(command)) ?? [];
  expect(rows.map(({ when = '' }) => when.includes('(lattice.hasServices || !lattice.ready)'))).toEqual([true, true]);
});

test('the walkthrough has five steps with pictures and an end each', () => {
  const steps = contributes.walkthroughs.flatMap(walkthrough => walkthrough.steps);
  expect(steps).toHaveLength(5);
  const picturesOf = ({ media: { image = {}, svg } }: (typeof steps)[number]): string[] => [...(svg === undefined ? [] : [svg]), ...Object.values(image)];
  expect(steps.filter(step => picturesOf(step).length === 0 || step.completionEvents.length === 0)).toEqual([]);
  expect(steps.flatMap(picturesOf).filter(path => !existsSync(join(root, path)))).toEqual([]);
  expect(steps.flatMap(({ media }) => (media.image === undefined ? [] : [Object.keys(media.image)]))).toEqual([['dark', 'light', 'hc', 'hcLight']]);
});

test('tools of the editor have inline schemas, and those that write say so', () => {
  const tools = languageModelTools();
  expect(tools.length).toBeGreaterThanOrEqual(6);
  expect(JSON.stringify(tools)).not.toContain('"$ref"');
  for (const tool of tools) expect(tool['tags']).toEqual(['lattice', expect.stringMatching(/^(read|write)$/)]);
});

const PLUGIN = 'media/agent-plugin';

test('the agent plugin has a manifest, a server and two skills named like their folders', () => {
  expect(json(`${PLUGIN}/plugin.json`)).toMatchObject({ $schema: expect.stringContaining('agent-plugins.org/schemas/1.0.0/plugin'), name: 'lattice' });
  const [own, claude] = [json(`${PLUGIN}/plugin.json`), json(`${PLUGIN}/.claude-plugin/plugin.json`)];
  expect([own['version'], claude['version']]).toEqual([json('package.json')['version'], json('package.json')['version']]);
  expect([claude['name'], claude['description']]).toEqual([own['name'], own['description']]);
  const servers = [json(`${PLUGIN}/mcp.json`), claude] as unknown as readonly { mcpServers: { lattice: { args: string[] } } }[];
  expect(servers.map(({ mcpServers }) => mcpServers.lattice.args)).toEqual([['${PLUGIN_ROOT}/bin/start.cjs'], ['${CLAUDE_PLUGIN_ROOT}/bin/start.cjs']]);
  const skills = readdirSync(join(root, PLUGIN, 'skills'));
  expect(skills).toHaveLength(2);
  for (const skill of skills) expect(read(`${PLUGIN}/skills/${skill}/SKILL.md`)).toMatch(new RegExp(`^---\\nname: ${skill}\\ndescription: .{40,}\\n---\\n`));
  expect(new Set(contributes.chatSkills.map(row => row.path))).toEqual(new Set(skills.map(skill => `./${PLUGIN}/skills/${skill}/SKILL.md`)));
});

test('settings stand in titled sections, and every value of a choice says what it means', () => {
  const sections = contributes.configuration;
  expect(sections.length).toBeGreaterThan(5);
  const rows = sections.flatMap(section => Object.entries(section.properties));
  expect(rows.map(([key]) => key).sort()).toEqual(SETTINGS.map(row => row.key).sort());
  const texts: Readonly<Record<string, string>> = json('package.nls.json');
  const shown = (reference: string | undefined): string => texts[reference?.slice(1, -1) ?? ''] ?? '';
  expect(sections.filter(section => shown(section.title) === '')).toEqual([]);
  for (const [key, row] of rows) {
    const values = (row.enum ?? []).map((_, index) => shown(row.markdownEnumDescriptions?.[index]));
    expect(
      [shown(row.markdownDescription), ...values].filter(text => !/^[A-Z].*\.$/s.test(text)),
      key,
    ).toEqual([]);
  }
});
