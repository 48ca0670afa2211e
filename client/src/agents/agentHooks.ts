import { appendToJson, itemsInJson, type JsonValue, removeItemsFromJson } from './jsonText';
import type { ConfigurationFile } from './mcpTargets';

/** Events of a session, with the tools that they are asked for: Claude Code heeds them, VS Code runs the hook for all. */
const EVENTS: readonly (readonly [event: string, tools?: string])[] = [
  ['SessionStart'],
  ['UserPromptSubmit'],
  ['PreToolUse', 'Edit|MultiEdit|Write|NotebookEdit'],
  ['PostToolUse', 'Edit|MultiEdit|Write|NotebookEdit|Bash|mcp__.*lattice.*__agent_claim'],
  ['PostToolUseFailure', 'Bash'],
  ['Stop'],
  ['SessionEnd'],
  ['SubagentStart'],
  ['SubagentStop'],
];
/** A hook answers in a tenth of a second; a program that waits longer than this has lost it, in seconds. */
const TIMEOUT_S = 5;
/** The launcher, by which entries of Lattice are known whatever folder it lies in. */
const LAUNCHER = /[\\/]lattice-hook(?:\.cmd)?['"]?$/;

/**
 * Hooks of Claude Code, which VS Code reads as well. They name a launcher on this machine, so they go into the settings that are not committed.
 */
export const AGENT_HOOKS: ConfigurationFile = {
  label: 'Hooks for Claude Code and VS Code',
  file: '.claude/settings.local.json',
  inHome: false,
  has: text => EVENTS.some(([event]) => itemsInJson(text, pathOf(event)).some(isOwn)),
  remove: text => EVENTS.reduce((rest, [event]) => removeItemsFromJson(rest, pathOf(event), isOwn), text),
};

/** `text` with a hook for each event, in place of those that Lattice wrote before; other hooks stay. Throws `JsonProblem`. */
export function withHooks(text: string, command: string): string {
  return EVENTS.reduce((merged, [event, tools]) => appendToJson(merged, pathOf(event), entryFor(command, tools)), AGENT_HOOKS.remove(text));
}

function entryFor(command: string, tools: string | undefined): JsonValue {
  return { ...(tools === undefined ? {} : { matcher: tools }), hooks: [{ type: 'command', command, timeout: TIMEOUT_S }] };
}

function pathOf(event: string): readonly string[] {
  return ['hooks', event];
}

/** Whether a matcher's only hook is Lattice's. */
function isOwn(value: unknown): boolean {
  const { hooks } = value as { readonly hooks?: unknown };
  if (!Array.isArray(hooks) || hooks.length !== 1) return false;
  const { command } = hooks[0] as { readonly command?: unknown };
  return typeof command === 'string' && LAUNCHER.test(command);
}
