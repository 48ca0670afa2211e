import { shownJson, shownText } from '../../../protocol/shownText';
import type { CancellationToken } from '../../base/cancellation';
import type { Failure } from '../../base/result';
import type { Hint, HintPart } from '../../model/hints';
import type { Caller, Gateway, ToolAnswer } from '../../session/gateway';
import type { Envelope } from '../../tools/envelope';
import type { PastRequest } from '../asking';
import { EXIT, type ExitCode } from '../exitCodes';
import type { TransportHost } from '../host';
import type { ProcessIo } from '../processIo';
import { waitUntilIndexed } from '../waiting';
import { AS_OF_FLAG, type Flag, type ParsedArguments } from './flags';
import { ProgressBar } from './progressBar';
import { type Paint, painter, printable, writeOut } from './terminal';
import { hintForTerminal, refusalForTerminal, type Spellings } from './toolText';

export interface Positional {
  readonly name: string;
  readonly required: boolean;
  /** Takes all remaining words. */
  readonly many: boolean;
  readonly help: string;
}

/** One command of `lattice`; its help is written from this. */
export interface Command {
  readonly name: string;
  /** What it does, one sentence. */
  readonly summary: string;
  readonly when: string;
  /** What comes back. */
  readonly returns: string;
  readonly examples: readonly string[];
  readonly flags: readonly Flag[];
  readonly positionals: readonly Positional[];
  /** Not listed in `lattice help`. */
  readonly internal?: boolean;
  /** How it writes the parameters of the tool that it asks. */
  readonly spellings?: Spellings;
  /** What is wrong with the arguments taken together; asked before anything is opened. */
  problem?(args: ParsedArguments): string | undefined;
  run(context: CommandContext): Promise<ExitCode>;
}

/** Why a feature did not answer. */
type Refused = Failure & { readonly hint?: Hint; readonly messageParts?: readonly HintPart[] };

export interface CommandOptions {
  readonly command: Command;
  readonly host: TransportHost;
  readonly io: ProcessIo;
  readonly args: ParsedArguments;
  /** Absolute root of the workspace the command works on. */
  readonly root: string;
  readonly json: boolean;
  readonly caller: Caller;
  /** Milliseconds from an arbitrary origin. */
  readonly now: () => number;
  readonly token: CancellationToken;
}

/** What a command is handed: its arguments, the host, and the ways to answer. */
export class CommandContext {
  readonly paint: Paint;

  constructor(readonly options: CommandOptions) {
    this.paint = painter(options.io.stdout, options.io.env);
  }

  get token(): CancellationToken {
    return this.options.token;
  }

  flag(name: string): boolean {
    return this.options.args.flags.get(name) === true;
  }

  text(name: string): string | undefined {
    const value = this.options.args.flags.get(name);
    return typeof value === 'string' ? value : undefined;
  }

  number(name: string): number | undefined {
    const value = this.options.args.flags.get(name);
    return typeof value === 'number' ? value : undefined;
  }

  /** What `--as-of` says, as a parameter of whatever is asked. */
  get ofThePast(): PastRequest {
    const asOf = this.text(AS_OF_FLAG.name);
    return asOf === undefined ? {} : { asOf };
  }

  list(name: string): readonly string[] {
    const value = this.options.args.flags.get(name);
    return Array.isArray(value) ? value.filter(item => typeof item === 'string') : [];
  }

  /** Writes to stdout and waits while the reader is slow. */
  async out(text: string): Promise<void> {
    await writeOut(this.options.io.stdout, printable(text, this.options.io.stdout.isTTY === true));
  }

  async line(text = ''): Promise<void> {
    await this.out(`${text}\n`);
  }

  async printJson(value: unknown): Promise<void> {
    await this.out(`${shownJson(JSON.stringify(value, undefined, 2))}\n`);
  }

  /** Says on stderr (with --json: on stdout, in the form of an envelope) what went wrong. */
  async fail(exit: ExitCode, code: string, message: string, hint?: string, suggestions: readonly string[] = []): Promise<ExitCode> {
    if (this.options.json) await this.printJson(failureEnvelope(code, message, hint));
    else writeFailure(this.options.io, message, hint, suggestions);
    return exit;
  }

  /** Tells why a feature did not answer, with the way out that it names in the words of the command line. */
  refused(error: Refused, exit: ExitCode = error.code === 'VALIDATION_ERROR' ? EXIT.usage : EXIT.answerIsError): Promise<ExitCode> {
    return this.fail(exit, error.code, this.inWords(error.messageParts ?? error.message), error.hint === undefined ? undefined : this.inWords(error.hint));
  }

  /** Tells why a tool did not answer. */
  failed(envelope: Envelope): Promise<ExitCode> {
    const { data, errorCode = 'INTERNAL', hint, hintParts, summary, summaryParts } = envelope;
    const told = hintParts ?? hint;
    return this.fail(
      exitOf(envelope),
      errorCode,
      this.inWords(summaryParts ?? summary),
      told === undefined ? undefined : this.inWords(told),
      suggestionsIn(data),
    );
  }

  /** What is told about tools and parameters, in the words of this command. */
  inWords(told: Hint): string {
    return hintForTerminal(told, this.options.command.spellings);
  }

  /** The answer to a call that is wrong whatever the workspace holds, in the words of this command. */
  refusalOf(tool: string, input: Readonly<Record<string, unknown>>): ToolAnswer | undefined {
    const { command, host } = this.options;
    const refused = host.refusalOf(tool, input);
    return refused === undefined || command.spellings === undefined ? refused : refusalForTerminal(refused, command.name, command.spellings);
  }

  /** Opens the workspace for one command, leaves it in good order whatever happens. */
  async withWorkspace(work: (gateway: Gateway) => Promise<ExitCode>): Promise<ExitCode> {
    const opened = await this.options.host.open({ root: this.options.root, longLived: false, watch: 'none' });
    if (!opened.ok) return this.fail(EXIT.workspaceFailed, opened.error.code, opened.error.message, 'Run `lattice doctor` to find out why.');
    try {
      return await work(opened.value);
    } finally {
      await opened.value.close();
    }
  }

  /** As `withWorkspace`, once the index is complete and on disk; shows its progress meanwhile. */
  async withIndex(work: (gateway: Gateway) => Promise<ExitCode>): Promise<ExitCode> {
    return this.withWorkspace(async gateway => {
      const bar = new ProgressBar(this.options.io, this.options.json, this.options.now);
      let indexed: Awaited<ReturnType<typeof waitUntilIndexed>>;
      try {
        indexed = await waitUntilIndexed(gateway, progress => bar.show(progress), this.token);
      } finally {
        bar.finish();
      }
      if (!indexed.ok) return this.fail(EXIT.workspaceFailed, indexed.error.code, indexed.error.message, 'Run `lattice doctor` to find out why.');
      return work(gateway);
    });
  }
}

function suggestionsIn(data: Readonly<Record<string, unknown>> | undefined): readonly string[] {
  const suggestions = data?.['suggestions'];
  return Array.isArray(suggestions) ? suggestions.map(item => (typeof item === 'string' ? item : JSON.stringify(item))) : [];
}

export function failureEnvelope(code: string, message: string, hint: string | undefined): Record<string, unknown> {
  const estimate = Math.ceil((message.length + (hint?.length ?? 0)) / 4);
  return { ok: false, summary: message, profile: 'compact', _tokenEstimate: estimate, errorCode: code, ...(hint === undefined ? {} : { hint }) };
}

export function writeFailure(io: ProcessIo, message: string, hint: string | undefined, suggestions: readonly string[] = []): void {
  const paint = painter(io.stderr, io.env);
  const meant = suggestions.length === 0 ? '' : `Did you mean:\n${suggestions.map(text => `  ${shownText(text)}\n`).join('')}`;
  const errorText = `${paint('red', 'error:')} ${shownText(message)}\n${meant}${hint === undefined ? '' : `${paint('dim', 'hint:')} ${shownText(hint)}\n`}`;
  io.stderr.write(printable(errorText, io.stderr.isTTY === true));
}

export function exitOf(envelope: Envelope): ExitCode {
  if (envelope.ok) return EXIT.ok;
  if (envelope.errorCode === 'VALIDATION_ERROR') return EXIT.usage;
  return envelope.errorCode === 'INTERNAL' ? EXIT.internal : EXIT.answerIsError;
}
