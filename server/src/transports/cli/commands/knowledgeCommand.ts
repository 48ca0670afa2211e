import type { CheckAnswer, ImportAnswer, KnowledgeExportAnswer, SyncConflict, SyncProblem } from '../../../../protocol/features';
import { shownValue } from '../../../../protocol/shownText';
import { EXIT, type ExitCode } from '../../exitCodes';
import type { Command, CommandContext } from '../command';
import { plural } from '../terminal';
import { usageHint } from '../toolText';

const ACTIONS = ['export', 'import', 'check'] as const;
type Action = (typeof ACTIONS)[number];

/** `lattice knowledge`: the files through which a team shares knowledge, also for CI. */
export const knowledgeCommand: Command = {
  name: 'knowledge',
  summary: 'Export knowledge to .lattice/knowledge, import it from there, or check the files.',
  when: 'To share knowledge through Git. In CI, run lattice knowledge check.',
  returns:
    'What was exported or imported. Problems are shown as file:line. Exits with 1 if a file is invalid, a conflict is unresolved, or a deletion needs to be confirmed.',
  examples: ['lattice knowledge export', 'lattice knowledge import', 'lattice knowledge import --yes', 'lattice knowledge check'],
  flags: [
    { name: 'yes', kind: 'boolean', short: 'y', help: 'Allow an import to delete many atoms and molecules whose files were deleted.' },
    { name: 'keep', kind: 'boolean', help: 'Keep atoms and molecules whose files were deleted. The next export writes their files again.' },
  ],
  positionals: [{ name: 'export|import|check', required: true, many: false, help: 'Action to run.' }],
  run: async context => {
    const [word = ''] = context.options.args.positionals;
    const action = ACTIONS.find(name => name === word);
    if (action === undefined)
      return context.fail(EXIT.usage, 'USAGE', `Unknown action ${JSON.stringify(word)}. Use ${ACTIONS.join(', ')}.`, usageHint('knowledge'));
    return context.withWorkspace(async gateway => {
      const { agentId, sessionId } = context.options.caller;
      const author = { sessionId, ...(agentId === undefined ? {} : { agentId }) };
      const params = { export: author, import: { ...author, mayRemoveMany: context.flag('yes'), keepRemoved: context.flag('keep') }, check: {} }[action];
      const answer = await gateway.query(`${action}Knowledge`, params, context.options.caller, context.token);
      if (!answer.ok) return context.refused(answer.error, EXIT.answerIsError);
      return REPORTS[action](context, (context.options.json ? answer.value : shownValue(answer.value)) as never);
    });
  },
};

const REPORTS: Readonly<Record<Action, (context: CommandContext, answer: never) => Promise<ExitCode>>> = { export: exported, import: imported, check: checked };

async function exported(context: CommandContext, answer: KnowledgeExportAnswer): Promise<ExitCode> {
  const { conflicts, pending, problems, removed, written } = answer;
  const isDone = !hasErrors(problems) && conflicts.length === 0 && pending.length === 0;
  if (context.options.json) await context.printJson({ ok: isDone, ...answer });
  else {
    await problemLines(context, problems);
    await conflictLines(context, conflicts);
    if (pending.length > 0) await context.line(`${plural(pending.length, 'file')} changed since the last import. Run lattice knowledge import first.`);
    const nothing = written.length + removed.length === 0;
    await context.line(nothing ? 'Knowledge files are up to date.' : `${plural(written.length, 'file')} written, ${removed.length} deleted.`);
  }
  return isDone ? EXIT.ok : EXIT.answerIsError;
}

async function imported(context: CommandContext, answer: ImportAnswer): Promise<ExitCode> {
  const { conflicts = [], created = 0, entries = 0, merged = 0, problems = [], question, removed = 0, updated = 0 } = answer;
  if (question !== undefined)
    return context.fail(
      EXIT.answerIsError,
      'NEEDS_CONFIRMATION',
      question.message,
      'Nothing was imported. To delete them, run: lattice knowledge import --yes. To keep them, add --keep instead.',
    );
  const isDone = !hasErrors(problems) && conflicts.length === 0;
  if (context.options.json) await context.printJson({ ok: isDone, ...answer });
  else {
    await problemLines(context, problems);
    await conflictLines(context, conflicts);
    const nothing = created + updated + removed + entries === 0;
    const changes = `${created} created, ${updated} updated${merged === 0 ? '' : ` (${merged} merged)`}, ${removed} deleted, ${plural(entries, 'changelog entry', 'changelog entries')}.`;
    await context.line(nothing ? 'Knowledge is up to date.' : changes);
  }
  return isDone ? EXIT.ok : EXIT.answerIsError;
}

async function checked(context: CommandContext, answer: CheckAnswer): Promise<ExitCode> {
  const { atoms, entries, molecules, problems } = answer;
  const isSound = !hasErrors(problems);
  if (context.options.json) await context.printJson({ ok: isSound, ...answer });
  else {
    await problemLines(context, problems);
    const errors = problems.filter(({ severity }) => severity === 'error').length;
    const found = `${plural(atoms, 'atom')}, ${plural(molecules, 'molecule')}, ${plural(entries, 'changelog entry', 'changelog entries')}`;
    await context.line(isSound ? `${found}: no problems found.` : `${plural(errors, 'error')} in the knowledge files. Usable: ${found}.`);
  }
  return isSound ? EXIT.ok : EXIT.answerIsError;
}

function hasErrors(problems: readonly SyncProblem[]): boolean {
  return problems.some(({ severity }) => severity === 'error');
}

async function problemLines(context: CommandContext, problems: readonly SyncProblem[]): Promise<void> {
  for (const { fix, line, message, path, severity } of problems) {
    const mark = context.paint(severity === 'error' ? 'red' : 'yellow', severity);
    await context.line(`${path}:${line}: ${mark}: ${message} ${fix}`);
  }
}

const REASONS: Readonly<Record<SyncConflict['reason'], string>> = {
  both_changed: 'changed both here and in the file',
  file_gone: 'changed here, but its file was deleted',
  row_gone: 'deleted here, but changed in the file',
};

async function conflictLines(context: CommandContext, conflicts: readonly SyncConflict[]): Promise<void> {
  for (const { fields, id, kind, name, path, reason } of conflicts) {
    const what = fields.length === 0 ? '' : ` (${fields.join(', ')})`;
    const where = path === null ? '' : `${path}: `;
    await context.line(
      `${where}${context.paint('red', 'conflict')}: the ${kind} ${name} was ${REASONS[reason]}${what}. Resolve it in the editor. ${context.paint('dim', id)}`,
    );
  }
}
