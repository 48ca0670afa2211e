import type { Disposable, LogOutputChannel } from 'vscode';
import type { LatticeServer } from '../languageClient/latticeServer';
import type { MarkdownDocuments } from '../views/markdownDocuments';
import { workPage } from './workPage';
import type { WorkNode } from './workRows';

interface Parts {
  readonly server: LatticeServer;
  readonly documents: MarkdownDocuments;
  readonly log: LogOutputChannel;
}

/** Features and tasks as pages. The editor previews one page at a time: the one that was opened last follows what people and agents write. */
export class WorkPages implements Disposable {
  private readonly subscription: Disposable;
  private shown: { readonly title: string; readonly node: WorkNode } | undefined;

  constructor(private readonly parts: Parts) {
    const { log, server } = parts;
    this.subscription = server.onRecords(({ areas }) => {
      if (areas.some(area => area === 'work' || area === 'knowledge')) this.renew().catch((error: unknown) => log.warn(`page of work: ${String(error)}`));
    });
  }

  async open(node: WorkNode): Promise<void> {
    const title = `${node.type === 'task' ? 'Task' : 'Feature'} ${node.item.name.slice(0, 60)}`;
    this.shown = { title, node };
    await this.parts.documents.show(title, await this.textOf(node));
  }

  dispose(): void {
    this.subscription.dispose();
  }

  private async renew(): Promise<void> {
    if (this.shown === undefined) return;
    const { node, title } = this.shown;
    this.parts.documents.update(title, await this.textOf(node));
  }

  private async textOf({ folder, item, type }: WorkNode): Promise<string> {
    const { server } = this.parts;
    const found = await server.ask('workItem', { id: item.id, type }, folder);
    const known =
      found.contextFiles.length === 0 ? undefined : await server.ask('knowledgeContext', { paths: found.contextFiles, includeChangelog: false }, folder);
    return workPage(found, known, Date.now());
  }
}
