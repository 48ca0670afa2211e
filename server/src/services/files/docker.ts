import type { DockerfileFact } from '../serviceFile';
import { imageName } from './compose';
import { keptValue } from './data';

/** A Dockerfile: the image of its last stage, and the folders that it copies and builds from. */
export function readDockerfile(text: string): DockerfileFact {
  const lines = text
    .replace(/\\\r?\n/g, ' ')
    .split('\n')
    .map(line => line.trim());
  const stages = new Map<string, string>();
  let base = '';
  const paths = new Set<string>();
  for (const line of lines) {
    const from = /^FROM\s+(?:--\S+\s+)*(?<image>\S+)(?:\s+AS\s+(?<stage>\S+))?/i.exec(line)?.groups;
    if (from !== undefined) {
      base = stages.get((from['image'] ?? '').toLowerCase()) ?? imageName(from['image'] ?? '');
      if (from['stage'] !== undefined) stages.set(from['stage'].toLowerCase(), base);
    } else if (/^(?:COPY|ADD|RUN|WORKDIR|ENTRYPOINT|CMD|ARG|ENV)\b/i.test(line)) {
      for (const word of pathWords(line)) paths.add(word);
    }
  }
  return { base, paths: [...paths], env: environmentIn(lines) };
}

/** `ENV A=b C=d` and `ENV A b`. */
function environmentIn(lines: readonly string[]): Readonly<Record<string, string>> {
  const pairs = lines.flatMap(line => {
    const given = /^(?:ENV|ARG)\s+(?<rest>.*)$/i.exec(line)?.groups?.['rest'];
    if (given === undefined) return [];
    const single = /^(?<key>\w+)\s+(?<value>[^=]*)$/.exec(given)?.groups;
    if (single !== undefined) return [[single['key'] ?? '', single['value'] ?? ''] as const];
    return [...given.matchAll(/(?<key>\w+)=(?:"(?<quoted>[^"]*)"|(?<value>\S*))/g)].map(
      match => [match.groups?.['key'] ?? '', match.groups?.['quoted'] ?? match.groups?.['value'] ?? ''] as const,
    );
  });
  return Object.fromEntries(pairs.filter(([key, value]) => value !== '' && keptValue(key, value) !== undefined));
}

/** Words of an instruction that may be a path in the build context, without what stands in front of them. */
function pathWords(line: string): string[] {
  const words = line.split(/[\s"',=[\]]+/).filter(word => /^[\w@./-]+$/.test(word) && !word.startsWith('--') && /[a-z]/i.test(word));
  return words.map(word => word.replace(/^(?:\.\/|\/)+/, '').replace(/\/+$/, '')).filter(word => word !== '' && word !== '.');
}
