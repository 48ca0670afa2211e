/** What is handed out works where nothing of this repository is: the npm package, the MCP bundle, the action of pull requests, the extension in a browser. */
import { spawnSync } from 'node:child_process';
import { chmodSync, cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { compileFunction } from 'node:vm';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { parse } from 'yaml';
import { removeFolder } from '../helpers/removeFolder.mjs';

const repository = join(import.meta.dirname, '..', '..');
const manifest = JSON.parse(readFileSync(join(repository, 'package.json'), 'utf8')) as {
  readonly name: string;
  readonly version: string;
  readonly contributes: { readonly commands: readonly { readonly command: string }[] };
};

let folder: string;
let environment: Record<string, string>;
const workspace = (): string => join(folder, 'sample');
const installed = (): string => join(folder, 'installed', 'node_modules', 'lattice-graph');

interface Ended {
  readonly status: number | null;
  readonly out: string;
}

function run(program: string, words: readonly string[], cwd: string, env = environment): Ended {
  const { status, stderr, stdout } = spawnSync(program, words, { cwd, env, encoding: 'utf8' });
  return { status, out: `${stdout}${stderr}` };
}

function npm(words: readonly string[], cwd: string): Ended {
  const beside = join(dirname(process.execPath), process.platform === 'win32' ? 'node_modules/npm/bin/npm-cli.js' : '../lib/node_modules/npm/bin/npm-cli.js');
  const program = [process.env['npm_execpath'], beside].find(path => path !== undefined && path.endsWith('npm-cli.js') && existsSync(path)) ?? beside;
  return run(process.execPath, [program, ...words], cwd);
}

function git(...words: readonly string[]): void {
  const ended = run('git', ['-c', 'user.name=t', '-c', 'user.email=t@t', ...words], workspace());
  expect(ended, words.join(' ')).toMatchObject({ status: 0 });
}

beforeAll(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'lattice-installed-')));
  const kept = Object.entries(process.env).filter((entry): entry is [string, string] => entry[1] !== undefined && !entry[0].startsWith('npm_'));
  environment = { ...Object.fromEntries(kept), LATTICE_HOME: join(folder, 'home'), LATTICE_LOG: 'error', npm_config_cache: join(folder, 'cache') };
  cpSync(join(repository, 'test', 'fixtures', 'workspaces', 'sample'), workspace(), { recursive: true });
  expect(npm(['pack', '--pack-destination', folder], repository)).toMatchObject({ status: 0 });
  mkdirSync(join(folder, 'installed'));
  writeFileSync(join(folder, 'installed', 'package.json'), '{}');
  const tarball = join(folder, `${manifest.name}-${manifest.version}.tgz`);
  expect(npm(['install', '--offline', '--no-audit', '--no-fund', tarball], join(folder, 'installed'))).toMatchObject({ status: 0 });
});
afterAll(() => removeFolder(folder));

test('the package is installed without any other, and its command answers', () => {
  const modules = join(folder, 'installed', 'node_modules');
  expect(readdirSync(modules).filter(name => !name.startsWith('.'))).toEqual(['lattice-graph']);
  expect(readdirSync(installed()).sort()).toEqual(['CHANGELOG.md', 'LICENSE', 'README.md', 'dist', 'package.json', 'server.json']);
  const command = join(modules, '.bin', process.platform === 'win32' ? 'lattice.cmd' : 'lattice');
  const ended = run(command, ['impact', 'Money.add'], workspace());
  expect(ended.status, ended.out).toBe(0);
  expect(ended.out).toContain('Money::add affects 2 direct dependents');
});

async function toolsOf(args: readonly string[]): Promise<readonly string[]> {
  const client = new Client({ name: 'desktop', version: '1' });
  await client.connect(new StdioClientTransport({ command: process.execPath, args: [...args], env: environment, cwd: folder, stderr: 'ignore' }));
  const { tools } = await client.listTools();
  const answer = await client.callTool({ name: 'search_code', arguments: { query: 'write invoice' } });
  expect(JSON.stringify(answer.structuredContent)).toContain('worker/bookshop/invoices.py::write_invoice');
  await client.close();
  return tools.map(tool => tool.name);
}

test('lattice mcp of the package serves a client', async () => {
  expect(await toolsOf([join(installed(), 'dist', 'cli.js'), 'mcp', '--workspace', workspace()])).toContain('impact_analyze');
});

test('the MCP bundle starts as its manifest says, with the tools that it lists', async () => {
  const bundle = JSON.parse(readFileSync(join(repository, 'media', 'mcpb', 'manifest.json'), 'utf8')) as {
    readonly server: { readonly entry_point: string; readonly mcp_config: { readonly args: readonly string[] } };
    readonly tools: readonly { readonly name: string }[];
    readonly user_config: { readonly tools: { readonly default: string } };
  };
  const values: Readonly<Record<string, string>> = {
    __dirname: installed(),
    'user_config.workspace': workspace(),
    'user_config.tools': bundle.user_config.tools.default,
  };
  const args = bundle.server.mcp_config.args.map(argument => argument.replace(/\$\{([\w.]+)\}/g, (_, name: string) => values[name] ?? ''));
  expect(existsSync(join(installed(), bundle.server.entry_point))).toBe(true);
  expect([...(await toolsOf(args))].sort()).toEqual(bundle.tools.map(tool => tool.name).sort());
});

interface Step {
  readonly name?: string;
  readonly run?: string;
}

/** Runs a step of the action as a runner does; `gh` is a script that writes down what it is asked. */
function step(name: string, env: Readonly<Record<string, string>>): Ended {
  const action = parse(readFileSync(join(repository, 'action.yml'), 'utf8')) as { readonly runs: { readonly steps: readonly Step[] } };
  const script = action.runs.steps.find(each => each.name === name)?.run ?? '';
  const files = { GITHUB_OUTPUT: join(folder, 'outputs'), GITHUB_STEP_SUMMARY: join(folder, 'summary'), RUNNER_TEMP: folder };
  return run('bash', ['-c', script], workspace(), { ...environment, ...files, ...env, PATH: `${join(folder, 'bin')}:${environment['PATH'] ?? ''}` });
}

test.runIf(process.platform !== 'win32')('the action reports a pull request, fails at its limits and keeps one comment', () => {
  git('init', '--quiet', '--initial-branch=main');
  git('add', '.');
  git('commit', '--quiet', '-m', 'base');
  const base = run('git', ['rev-parse', 'HEAD'], workspace()).out.trim();
  git('switch', '--quiet', '-c', 'branch');
  const file = join(workspace(), 'api', 'src', 'money.ts');
  writeFileSync(file, readFileSync(file, 'utf8').replace('add(', 'addTo('));
  git('commit', '--quiet', '-am', 'rename');

  const env = { CLI: join(installed(), 'dist', 'cli.js'), REPORT: 'both', BASE: base, FAIL_ON: '', WORKSPACE: workspace() };
  const passed = step('Report', env);
  expect(passed.status, passed.out).toBe(0);
  const report = readFileSync(join(folder, 'lattice-report.md'), 'utf8');
  expect(report.startsWith('<!-- lattice -->\n')).toBe(true);
  expect(report).toContain('Money.add');
  expect(report).toContain('addTo');
  expect(readFileSync(join(folder, 'outputs'), 'utf8')).toContain(`report=${join(folder, 'lattice-report.md')}`);
  expect(step('Report', { ...env, FAIL_ON: 'breaking' }).status).toBe(5);
  expect(step('Report', { ...env, FAIL_ON: 'breaking, nothing' })).toMatchObject({ status: 2, out: expect.stringContaining('Unknown limit nothing') });
  expect(step('Report', { ...env, BASE: '' })).toMatchObject({ status: 2, out: expect.stringContaining('nothing to compare with') });

  mkdirSync(join(folder, 'bin'));
  writeFileSync(
    join(folder, 'bin', 'gh'),
    `#!/bin/sh\necho "$@" >> ${join(folder, 'asked')}\ncase "$*" in *--paginate*) cat ${join(folder, 'comment')} ;; esac\n`,
  );
  chmodSync(join(folder, 'bin', 'gh'), 0o755);
  const comment = { GH_TOKEN: 'x', NUMBER: '7', FILE: join(folder, 'lattice-report.md'), GITHUB_REPOSITORY: 'o/r' };
  writeFileSync(join(folder, 'comment'), '');
  expect(step('Comment', comment)).toMatchObject({ status: 0 });
  writeFileSync(join(folder, 'comment'), '42\n');
  expect(step('Comment', comment)).toMatchObject({ status: 0 });
  const asked = readFileSync(join(folder, 'asked'), 'utf8');
  expect(asked).toContain('--method POST repos/o/r/issues/7/comments');
  expect(asked).toContain('--method PATCH repos/o/r/issues/comments/42');
});

test('in a browser the extension says once what it lacks, and again when a command is run', () => {
  const told: string[] = [];
  const run = new Map<string, () => void>();
  const vscode = {
    commands: { registerCommand: (id: string, action: () => void) => run.set(id, action) },
    window: { showInformationMessage: (text: string) => told.push(text) },
  };
  const module = { exports: {} as { readonly activate: (context: unknown) => void } };
  const code = readFileSync(join(repository, 'dist', 'web.js'), 'utf8');
  const load = compileFunction(code, ['module', 'exports', 'require']) as (...parts: readonly unknown[]) => void;
  load(module, module.exports, () => vscode);
  const state = new Map<string, unknown>();
  const context = {
    extension: { packageJSON: manifest },
    subscriptions: [],
    workspaceState: { get: (key: string) => state.get(key), update: (key: string, value: unknown) => state.set(key, value) },
  };
  module.exports.activate(context);
  module.exports.activate(context);
  expect(told).toEqual([expect.stringContaining('does not run in the browser')]);
  expect([...run.keys()].sort()).toEqual(manifest.contributes.commands.map(({ command }) => command).sort());
  run.get('lattice.showImpact')?.();
  expect(told).toHaveLength(2);
});
