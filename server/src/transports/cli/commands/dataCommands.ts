import { EXIT } from '../../exitCodes';
import type { Command } from '../command';
import { bytes, plural } from '../terminal';

export const gcCommand: Command = {
  name: 'gc',
  summary: 'Delete the data of checkouts that no longer exist.',
  when: 'To get disk space back after deleting clones and worktrees.',
  returns: 'The checkouts whose data was deleted, with sizes.',
  examples: ['lattice gc --dry-run', 'lattice gc'],
  flags: [{ name: 'dry-run', kind: 'boolean', help: 'Only list what would be deleted.' }],
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
      for (const item of kept) await context.line(context.paint('yellow', `kept ${item.root}: ${item.message}`));
      const verb = dryRun ? 'would be deleted' : 'deleted';
      await context.line(
        vanished.length === 0 ? 'Nothing to delete: every checkout is still there.' : `${plural(vanished.length, 'checkout')}, ${bytes(sizeBytes)} ${verb}.`,
      );
    }
    return kept.length === 0 ? EXIT.ok : EXIT.answerIsError;
  },
};

export const resetCommand: Command = {
  name: 'reset',
  summary: 'Delete the index of this checkout; it is built again when next asked for.',
  when: 'When an index is wrong in a way that `lattice doctor --repair` does not cure.',
  returns: 'What was deleted. Without --yes nothing is.',
  examples: ['lattice reset --yes', 'lattice reset --all --yes'],
  flags: [
    { name: 'yes', kind: 'boolean', short: 'y', help: 'Really delete.' },
    { name: 'all', kind: 'boolean', help: 'Also what people and agents wrote: knowledge, memory and the transaction log of the whole project.' },
  ],
  positionals: [],
  run: async context => {
    const { host, root } = context.options;
    const all = context.flag('all');
    const subject = all ? `the index of ${root} and everything that was written about its project` : `the index of ${root}`;
    if (!context.flag('yes'))
      return context.fail(EXIT.usage, 'USAGE', `This deletes ${subject}.`, `Nothing was deleted. Say so with: lattice reset${all ? ' --all' : ''} --yes`);
    const reset = await host.data.reset(root, all);
    if (!reset.ok)
      return context.fail(EXIT.workspaceFailed, reset.error.code, reset.error.message, 'Close the editor windows and agents that use this workspace.');
    if (context.options.json) await context.printJson({ ok: true, root, deleted: reset.value });
    else await context.line(reset.value.length === 0 ? 'There was no index.' : `Deleted ${reset.value.join(', ')}.`);
    return EXIT.ok;
  },
};
