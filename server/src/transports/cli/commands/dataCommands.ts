import { EXIT } from '../../exitCodes';
import type { Command } from '../command';
import { bytes, plural } from '../terminal';

export const gcCommand: Command = {
  name: 'gc',
  summary: 'Delete the data of checkouts that no longer exist.',
  when: 'To free disk space after deleting clones or worktrees.',
  returns: 'The checkouts whose data was deleted, with the size of the data.',
  examples: ['lattice gc --dry-run', 'lattice gc'],
  flags: [{ name: 'dry-run', kind: 'boolean', help: 'List what would be deleted, without deleting it.' }],
  positionals: [],
  run: async context => {
    const { data } = context.options.host;
    const dryRun = context.flag('dry-run');
    const vanished = await data.vanished(context.token);
    const kept: { readonly root: string; readonly message: string }[] = [];
    for (const checkout of dryRun ? [] : vanished) {
      const dropped = await data.drop(checkout.folder);
      if (!dropped.ok) kept.push({ root: checkout.root, message: dropped.error.message });
    }
    const sizeBytes = vanished.reduce((sum, checkout) => sum + checkout.sizeBytes, 0);
    if (context.options.json) await context.printJson({ ok: kept.length === 0, dryRun, checkouts: vanished, sizeBytes, kept });
    else {
      for (const checkout of vanished) await context.line(`${bytes(checkout.sizeBytes).padStart(9)}  ${checkout.root}`);
      for (const item of kept) await context.line(context.paint('yellow', `not deleted ${item.root}: ${item.message}`));
      const verb = dryRun ? 'would be deleted' : 'deleted';
      await context.line(
        vanished.length === 0 ? 'Nothing to delete. All checkouts still exist.' : `${plural(vanished.length, 'checkout')}, ${bytes(sizeBytes)} ${verb}.`,
      );
    }
    return kept.length === 0 ? EXIT.ok : EXIT.answerIsError;
  },
};

export const resetCommand: Command = {
  name: 'reset',
  summary: 'Delete the index of this checkout. It is rebuilt the next time it is used.',
  when: 'When `lattice doctor --repair` does not fix a problem with the index.',
  returns: 'What was deleted. Nothing is deleted without --yes.',
  examples: ['lattice reset --yes', 'lattice reset --all --yes'],
  flags: [
    { name: 'yes', kind: 'boolean', short: 'y', help: 'Confirm the deletion.' },
    {
      name: 'all',
      kind: 'boolean',
      help: 'Also delete everything that people and agents have written: the knowledge, work, memory and transaction log of the project.',
    },
  ],
  positionals: [],
  run: async context => {
    const { host, root } = context.options;
    const all = context.flag('all');
    const subject = all ? `the index of ${root} and all knowledge, work and history of its project` : `the index of ${root}`;
    if (!context.flag('yes'))
      return context.fail(EXIT.usage, 'USAGE', `This deletes ${subject}.`, `Nothing was deleted. To confirm, run: lattice reset${all ? ' --all' : ''} --yes`);
    const reset = await host.data.reset(root, all);
    if (!reset.ok)
      return context.fail(EXIT.workspaceFailed, reset.error.code, reset.error.message, 'Close all editor windows and agents that use this workspace.');
    if (context.options.json) await context.printJson({ ok: true, root, deleted: reset.value });
    else await context.line(reset.value.length === 0 ? 'There is no index to delete.' : `Deleted ${reset.value.join(', ')}.`);
    return EXIT.ok;
  },
};
