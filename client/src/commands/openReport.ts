import { execFile } from 'node:child_process';
import { type ExtensionContext, env, ProgressLocation, UIKind, Uri, window } from 'vscode';
import { showInformation } from '../messages';
import { Refusal } from '../refusal';
import { indexedFolders } from '../settings';

const TIMEOUT_MS = 120_000;

/** Writes the HTML report of the first folder into the data folder and opens it in the browser. */
export async function openReport({ context }: { readonly context: ExtensionContext }): Promise<void> {
  const folder = indexedFolders()[0];
  if (folder === undefined) throw new Refusal('Open a folder to create a report.');
  const written = await window.withProgress({ location: ProgressLocation.Window, title: 'Lattice: Creating report...' }, () =>
    report(Uri.joinPath(context.extensionUri, 'dist', 'cli.js').fsPath, folder.uri.fsPath),
  );
  // A browser on another machine cannot open a file of this one.
  if (env.uiKind === UIKind.Desktop && env.remoteName === undefined) {
    await env.openExternal(Uri.parse(written.url));
    return;
  }
  void showInformation(`Report saved to ${written.path}`, 'Copy Path').then(choice =>
    choice === undefined ? undefined : env.clipboard.writeText(written.path),
  );
}

interface Written {
  readonly path: string;
  readonly url: string;
}

/** Asks the command line, which is a guest of the window's own index. */
function report(cli: string, folder: string): Promise<Written> {
  const options = { env: { ...process.env, ELECTRON_RUN_AS_NODE: '1' }, timeout: TIMEOUT_MS, maxBuffer: 1 << 24 };
  return new Promise((resolve, reject) => {
    execFile(process.execPath, [cli, 'report', '--workspace', folder, '--json'], options, (error, stdout, stderr) => {
      try {
        if (error !== null) throw error;
        resolve(JSON.parse(stdout) as Written);
      } catch (problem) {
        reject(new Error(`The report could not be created: ${stderr.trim() || String(problem)}`));
      }
    });
  });
}
