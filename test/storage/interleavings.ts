import type { AppendFile, Disk } from '../../server/src/store/disk';

/** Processes that take turns at the steps where another one may come between. `choose` says who goes on, of those that wait. */
export class Turns {
  readonly #waiting = new Map<string, () => void>();

  /** Resolves when it is this process's turn. */
  step(process: string): Promise<void> {
    return new Promise(resolve => this.#waiting.set(process, resolve));
  }

  /** Runs until nobody waits any more. */
  async run(processes: readonly Promise<unknown>[], choose: (waiting: number) => number): Promise<void> {
    let isOver = false;
    const ended = Promise.all(processes).finally(() => void (isOver = true));
    for (;;) {
      await new Promise(resolve => setImmediate(resolve));
      const names = [...this.#waiting.keys()].sort();
      if (names.length === 0) {
        if (isOver) break;
        continue;
      }
      const next = names[choose(names.length)] ?? '';
      const go = this.#waiting.get(next);
      this.#waiting.delete(next);
      go?.();
    }
    await ended;
  }
}

/** All sequences of choices: each run asks for as many as it needs; `next` is false when there is no other. */
export class EveryChoice {
  #taken: { choice: number; of: number }[] = [];
  #at = 0;

  readonly choose = (of: number): number => {
    const known = this.#taken[this.#at];
    if (known === undefined) this.#taken.push({ choice: 0, of });
    this.#at++;
    return known?.choice ?? 0;
  };

  next(): boolean {
    this.#taken = this.#taken.slice(0, this.#at);
    this.#at = 0;
    while (this.#taken.length > 0) {
      const last = this.#taken.at(-1);
      if (last !== undefined && last.choice + 1 < last.of) {
        last.choice++;
        return true;
      }
      this.#taken.pop();
    }
    return false;
  }
}

/** A disk whose steps at the journal wait for their turn; a sync does before it and after it, so that a process may be frozen with its record on the disk. */
export function inTurns(disk: Disk, process: string, turns: Turns): Disk {
  const step = (): Promise<void> => turns.step(process);
  const file = (opened: AppendFile): AppendFile => ({
    identity: opened.identity,
    append: async bytes => {
      await step();
      await opened.append(bytes);
    },
    sync: async () => {
      await opened.sync();
      await step();
    },
    read: (offset, length) => opened.read(offset, length),
    close: () => opened.close(),
  });
  return {
    makeFolder: path => disk.makeFolder(path),
    list: async folder => {
      await step();
      return disk.list(folder);
    },
    stat: path => disk.stat(path),
    read: async path => {
      await step();
      return disk.read(path);
    },
    openAppend: async path => {
      await step();
      return file(await disk.openAppend(path));
    },
    write: (path, parts) => disk.write(path, parts),
    rename: (from, to) => disk.rename(from, to),
    publish: (from, to) => disk.publish(from, to),
    identity: async path => {
      const found = await disk.identity(path);
      await step();
      return found;
    },
    openNote: path => disk.openNote(path),
    remove: path => disk.remove(path),
    truncate: (path, sizeBytes) => disk.truncate(path, sizeBytes),
    syncFolder: path => disk.syncFolder(path),
  };
}
