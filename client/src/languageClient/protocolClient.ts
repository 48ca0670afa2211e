/** A bundle of its own: the library is ten times the rest of the client and is read only when the language server starts. */
export { CloseAction, ErrorAction, LanguageClient, State, Trace, TransportKind } from 'vscode-languageclient/node';
