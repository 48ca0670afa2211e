import type { ExtensionContext } from 'vscode';

interface Contributions {
  readonly commands: readonly { readonly command: string }[];
}

/** What the manifest contributes, as far as the code asks. */
export function contributes(context: ExtensionContext): Contributions {
  return (context.extension.packageJSON as { readonly contributes: Contributions }).contributes;
}

/** Whether the extension has a command of that name. */
export function hasCommand(context: ExtensionContext, command: string): boolean {
  return contributes(context).commands.some(row => row.command === command);
}
