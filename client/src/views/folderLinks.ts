import { type Uri, workspace } from 'vscode';
import { pageLink } from '../../../server/protocol/pageLinks';
import type { LinkTo } from './explainPage';

/** Addresses of the files of a folder, for pages that the editor previews in this window. */
export function linksFrom(folder: Uri): LinkTo {
  const first = workspace.workspaceFolders?.[0]?.uri.toString() ?? '';
  return (path, line) => pageLink(first, folder.toString(), path, line);
}
