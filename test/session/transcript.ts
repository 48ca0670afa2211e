import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Said } from './agentClient';

export interface Figures {
  readonly calls: number;
  readonly conflicts: number;
  readonly undetected: number;
  readonly acknowledged: number;
  readonly lost: number;
  /** 0 to 1. */
  readonly shortShare: number;
  readonly compact: number;
}

const LONGEST_LINE = 150;
const MOST_LINES = 14;

/** What agents asked and were told, as a document: scenes with a time, calls with the answers, and what counts at the end. */
export class Transcript {
  readonly compactAnswers: number[] = [];
  calls = 0;
  conflicts = 0;
  readonly #lines: string[] = [];
  readonly #ids = new Map<string, string>();
  readonly #quiet = new Map<string, Map<string, number>>();
  #figures: Figures | undefined;

  scene(time: string, title: string, about: string): void {
    this.#lines.push('', `## ${time} ${title}`, '', about);
  }

  note(text: string): void {
    this.#lines.push('', `*${text}*`);
  }

  told(agent: string, tool: string, input: Readonly<Record<string, unknown>>, said: Said): void {
    this.#count(said);
    const words = Object.entries(input).map(([key, value]) => `${key}: ${typeof value === 'string' ? value : JSON.stringify(value)}`);
    const text = said.text.split('\n');
    const shown = text.length <= MOST_LINES ? text : [...text.slice(0, MOST_LINES - 1), `… ${text.length - MOST_LINES + 1} more lines`];
    this.#lines.push(
      '',
      `**${capital(agent)}** \`${tool}\` ${this.#plain(words.join(' · '))}`.trim(),
      '',
      '```text',
      ...shown.map(line => this.#plain(line)),
      '```',
    );
  }

  counted(agent: string, tool: string, said: Said): void {
    this.#count(said);
    const isConflict = said.data['status'] === 'CONFLICT';
    const key = isConflict ? 'told of a conflict' : tool;
    const own = this.#quiet.get(agent) ?? new Map<string, number>();
    this.#quiet.set(agent, own.set(key, (own.get(key) ?? 0) + 1));
  }

  /** What was counted so far, as a table. */
  tally(): void {
    const columns = ['agent_claim', 'told of a conflict', 'episode_add', 'agent_release'];
    const rows = [...this.#quiet].map(([agent, own]) => `| ${capital(agent)} | ${columns.map(key => own.get(key) ?? 0).join(' | ')} |`);
    this.#lines.push('', `| | claims made | told of a conflict | recorded | released |`, '|---|--:|--:|--:|--:|', ...rows);
  }

  figures(figures: Figures): void {
    this.#figures = figures;
  }

  save(file: string | undefined): void {
    const figures = this.#figures;
    if (file === undefined || figures === undefined) return;
    const { acknowledged, calls, compact, conflicts, lost, shortShare, undetected } = figures;
    const head = [
      '# Agents at work',
      '',
      'Three scripted agents share a repository for a morning, each in the official MCP client with its own process: Ada uses the protocol of 2025 (`initialize`), Ben that of 2026-07-28 (`server/discover`), and Cyd negotiates it. The times of day are fictional; the calls, files, processes, kills and answers are real. IDs are shortened, and long answers are cut.',
      '',
      '| | |',
      '|---|--:|',
      `| Calls | ${calls} |`,
      `| Conflicts reported before an edit | ${conflicts} |`,
      `| Times two agents had claimed the same code | ${undetected} |`,
      `| Confirmed episodes and claims | ${acknowledged} |`,
      `| Of these lost after a restart and a kill of the owner | ${lost} |`,
      `| Compact answers of at most 300 tokens | ${Math.round(shortShare * 100)}% of ${compact} |`,
      '',
      'Written by `LATTICE_TRANSCRIPT=docs/agents-at-work.md npm run test:slow -- test/session/agentsAtWork.slow.test.ts`, which fails if any of this does not hold. What the tools do is described in [agents.md](agents.md).',
    ];
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, `${[...head, ...this.#lines].join('\n')}\n`);
  }

  #count({ data, profile, tokens }: Said): void {
    this.calls++;
    if (data['status'] === 'CONFLICT') this.conflicts++;
    if (profile === 'compact') this.compactAnswers.push(tokens);
  }

  /** Without uuids, times of today and what is too long for a line. */
  #plain(text: string): string {
    const line = text
      .replace(/(?:(\w+)::)?[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, (id, kind: string | undefined) => this.#short(id, kind ?? 'id'))
      .replace(/\b\d{4}-\d\d-\d\d(?:T\d\d:\d\d(?::[\d.]+)?Z?)?/g, 'today')
      .replace(/\b[0-9a-f]{40,64}\b/g, hash => `${hash.slice(0, 7)}…`);
    return line.length > LONGEST_LINE ? `${line.slice(0, LONGEST_LINE - 1)}…` : line;
  }

  #short(id: string, kind: string): string {
    const known = this.#ids.get(id) ?? `${kind}::${[...this.#ids.keys()].filter(other => other.startsWith(kind)).length + 1}`;
    this.#ids.set(id, known);
    return known;
  }
}

function capital(name: string): string {
  return name.slice(0, 1).toUpperCase() + name.slice(1);
}
