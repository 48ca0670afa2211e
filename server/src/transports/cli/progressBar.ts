import type { IndexProgress } from '../../workspace/snapshot';
import type { ProcessIo } from '../processIo';
import { count, type Paint, padEnd, padStart, painter, widthOf } from './terminal';

const PHASES: Readonly<Record<IndexProgress['phase'], string>> = {
  starting: 'Starting',
  scanning: 'Scanning files',
  parsing: 'Parsing',
  resolving: 'Resolving references',
  saving: 'Saving the index',
  ready: 'Ready',
  failed: 'Failed',
};

/** Shortest time between two pictures of the bar, in milliseconds. */
const REDRAW_MS = 80;

/** Work that is done within this time, in milliseconds, is not worth a line in a log. */
const QUIET_MS = 1500;

/**
 * Shows the progress of an index on stderr: one redrawn line on a terminal, one line per phase elsewhere if it takes longer than a moment, nothing when silent.
 * `finish` must be called before anything else is written.
 */
export class ProgressBar {
  readonly #stream: ProcessIo['stderr'];
  readonly #paint: Paint;
  readonly #mode: 'bar' | 'lines' | 'silent';
  #phase: IndexProgress['phase'] | undefined;
  #drawnAt = Number.NEGATIVE_INFINITY;
  #drawn = false;
  readonly #startedAt: number;

  constructor(
    io: ProcessIo,
    silent: boolean,
    private readonly now: () => number,
  ) {
    this.#stream = io.stderr;
    this.#startedAt = now();
    this.#paint = painter(io.stderr, io.env);
    this.#mode = silent ? 'silent' : io.stderr.isTTY === true && io.env['TERM'] !== 'dumb' ? 'bar' : 'lines';
  }

  show(progress: IndexProgress): void {
    const entered = progress.phase !== this.#phase;
    this.#phase = progress.phase;
    // What failed is said by the command, with a hint.
    if (progress.phase === 'failed') return;
    if (this.#mode === 'bar') this.#draw(progress, entered);
    else if (this.#mode === 'lines' && entered && this.now() - this.#startedAt > QUIET_MS) this.#stream.write(`${describe(progress)}\n`);
  }

  finish(): void {
    if (this.#drawn) this.#stream.write('\r\u001B[2K');
    this.#drawn = false;
  }

  #draw(progress: IndexProgress, entered: boolean): void {
    const now = this.now();
    if (!entered && now - this.#drawnAt < REDRAW_MS) return;
    this.#drawnAt = now;
    const share = progress.phase === 'ready' ? 1 : progress.total > 0 ? Math.min(1, progress.done / progress.total) : 0;
    const cells = Math.max(10, Math.min(40, widthOf(this.#stream) - 52));
    const filled = Math.round(share * cells);
    const bar = this.#paint('green', '━'.repeat(filled)) + this.#paint('dim', '━'.repeat(cells - filled));
    const numbers = progress.total > 0 ? `${padStart(`${Math.floor(share * 100)}%`, 5)}  ${count(progress.done)} / ${count(progress.total)}` : '';
    this.#stream.write(`\r\u001B[2K${padEnd(PHASES[progress.phase], 21)} ${bar} ${numbers}`);
    this.#drawn = true;
  }
}

function describe(progress: IndexProgress): string {
  return `${PHASES[progress.phase]}${progress.total > 0 ? ` (${count(progress.total)})` : ''}`;
}
