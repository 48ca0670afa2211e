import type { Result } from '../base/result';
import { err, ok } from '../base/result';
import { replaceFile } from './atomicFile';
import { crc32 } from './checksum';
import { type Disk, storeFailure } from './disk';

/** Warm-start state of one checkout. Its parts mean nothing here; they are given back as they were or not at all. */
export type GraphPackContent = { readonly parts: readonly Uint8Array[] } | { readonly missing: true } | { readonly problem: string };

const FIRST_WORD = 'lattice-graph 1';

/** Called between parts, so that others can run. */
type Pause = () => Promise<void> | undefined;

/** Replaces the file as a whole. `version` is that of whatever determines the content (extractor, graph format). */
export async function saveGraphPack(disk: Disk, path: string, version: string, parts: readonly Uint8Array[], pause?: Pause): Promise<Result<void>> {
  const sums: { readonly sizeBytes: number; readonly crc: number }[] = [];
  for (const part of parts) {
    sums.push({ sizeBytes: part.length, crc: crc32(part) });
    await pause?.();
  }
  const about = JSON.stringify({ version, parts: sums });
  try {
    await replaceFile(disk, path, [Buffer.from(`${FIRST_WORD} ${crc32(Buffer.from(about))} ${about}\n`), ...parts]);
    return ok(undefined);
  } catch (error) {
    return err(storeFailure(error, 'save the graph for the next start'));
  }
}

/** `missing` also when another version wrote it. A damaged file is deleted, since the facts pack and the sources can make it again. Never rejects. */
export async function loadGraphPack(disk: Disk, path: string, version: string, pause?: Pause): Promise<GraphPackContent> {
  try {
    const bytes = await disk.read(path);
    if (bytes === undefined) return { missing: true };
    const content = await decode(bytes, version, pause);
    if (!('problem' in content)) return content;
    await disk.remove(path);
    return { problem: `The saved graph ${path} could not be used (${content.problem}). It was deleted and will be rebuilt.` };
  } catch (error) {
    return { problem: storeFailure(error, 'read the saved graph').message };
  }
}

async function decode(bytes: Uint8Array, version: string, pause: Pause | undefined): Promise<GraphPackContent> {
  const newline = bytes.indexOf(10);
  const line = newline < 0 ? '' : Buffer.from(bytes.buffer, bytes.byteOffset, newline).toString('utf8');
  const [, crc, about] = new RegExp(`^${FIRST_WORD} (\\d+) (.*)$`).exec(line) ?? [];
  if (crc === undefined || about === undefined || Number(crc) !== crc32(Buffer.from(about))) return { problem: 'its first line is damaged' };
  const known = JSON.parse(about) as { version: string; parts: readonly { sizeBytes: number; crc: number }[] };
  if (known.version !== version) return { missing: true };
  const parts: Uint8Array[] = [];
  let at = newline + 1;
  for (const { sizeBytes, crc: expected } of known.parts) {
    const part = bytes.subarray(at, at + sizeBytes);
    if (part.length !== sizeBytes || crc32(part) !== expected) return { problem: 'its content is damaged' };
    parts.push(part);
    at += sizeBytes;
    await pause?.();
  }
  return { parts };
}
