import type { Diagnostic } from 'vscode-languageserver/node';
import type { LspConnection } from '../../lspConnection';

/** Diagnostics of a folder by document. */
export type ByDocument = ReadonlyMap<string, readonly Diagnostic[]>;

/** What all checks say of documents: the protocol knows one list per document, so they are told together. */
export class DiagnosticBoard {
  /** By folder, then by check. */
  readonly #said = new Map<string, Map<string, ByDocument>>();

  constructor(private readonly connection: LspConnection) {}

  /** Replaces what a check says of a folder. */
  async say(check: string, folderUri: string, found: ByDocument): Promise<void> {
    const checks = this.#said.get(folderUri) ?? new Map<string, ByDocument>();
    const before = checks.get(check);
    checks.set(check, found);
    this.#said.set(folderUri, checks);
    for (const uri of new Set([...(before?.keys() ?? []), ...found.keys()])) {
      const diagnostics = [...checks.values()].flatMap(documents => documents.get(uri) ?? []);
      await this.connection.sendDiagnostics({ uri, diagnostics });
    }
  }

  /** A folder was closed: what was said of it goes. */
  async closed(folderUri: string): Promise<void> {
    const documents = new Set([...(this.#said.get(folderUri)?.values() ?? [])].flatMap(found => [...found.keys()]));
    this.#said.delete(folderUri);
    for (const uri of documents) await this.connection.sendDiagnostics({ uri, diagnostics: [] });
  }
}
