/**
 * Entry of `dist/hook.js`: a hook of an agent's program. Reads one event from stdin, asks the process that owns the project, prints what it has to say.
 * Without an owner, with input that it does not know, and after `MAX_MS` it says nothing; the exit status is always 0. Only the end of a session is noted for the next owner.
 */
import { randomUUID } from 'node:crypto';
import { realpath } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join } from 'node:path';
import { neverCancelled } from '../base/cancellation';
import { identify } from '../code/files/git';
import { nodeHost } from '../code/files/nodeHost';
import { connectGuest } from '../session/guestGateway';
import { OWN_PROTOCOL } from '../session/messages';
import { readNewestCard } from '../session/ownerLock';
import { projectFolder } from '../store/dataFolder';
import { nodeDisk } from '../store/disk';
import { answerHook, type HookEvent, readHookInput } from '../transports/agentHook';
import { defaultDataFolder } from './platform';
import { recordSessionEnd, removeSessionEnd } from './upkeep/sessionEnds';

/** An agent does not wait longer for it. */
const MAX_MS = 2_000;
/** Input of an edit holds the text of a file. */
const MAX_INPUT = 16 * 1024 * 1024;

async function readInput(): Promise<string> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of process.stdin as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length > MAX_INPUT) return '';
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

/** Paths as the index spells them, where links lead to the folder. */
async function resolved(hook: HookEvent): Promise<HookEvent> {
  const { paths } = hook;
  if (paths === undefined) return hook;
  return { ...hook, paths: await Promise.all(paths.map(path => realOf(isAbsolute(path) ? path : join(hook.folder, path)))) };
}

/** The file itself may not be there yet. */
async function realOf(path: string): Promise<string> {
  try {
    return join(await realpath(dirname(path)), basename(path));
  } catch {
    return path;
  }
}

async function run(): Promise<void> {
  const hook = readHookInput(await readInput());
  if (hook === undefined) return;
  const { checkout, project } = await identify(hook.folder, nodeHost);
  const data = projectFolder(defaultDataFolder(process.env), project);
  const lock = join(data.folder, 'owner');
  // No owner ever: nobody has claimed anything.
  if ((await readNewestCard(lock)) === undefined) return;
  const disk = nodeDisk();
  const { agentId, event, sessionId } = hook;
  if (event === 'end') await recordSessionEnd(disk, data, { agentId, sessionId, at: Date.now() });
  // Read after the note is there: an owner that begins meanwhile finds the one, or is found here.
  const card = await readNewestCard(lock);
  if (card === undefined) return;
  const guest = await connectGuest(card, checkout, { watch: 'none', longLived: false, settings: undefined }, OWN_PROTOCOL);
  if (!guest.ok) return;
  const answer = await answerHook(guest.value, await resolved(hook), randomUUID(), neverCancelled);
  if (answer?.output !== undefined) process.stdout.write(`${JSON.stringify(answer.output)}\n`);
  if (event === 'end' && answer !== undefined) await removeSessionEnd(disk, data, sessionId);
  guest.value.close();
}

setTimeout(() => process.exit(0), MAX_MS).unref();
void run()
  .catch(() => undefined)
  .then(() => process.stdout.write('', () => process.exit(0)));
