import { ErrorCodes, LSPErrorCodes, ResponseError } from 'vscode-languageserver/node';
import type { z } from 'zod';
import { type CancellationToken, Cancelled, orCancelled } from '../../base/cancellation';
import type { Answer, FeatureName, ParamsOf } from '../../features/catalogue/catalogue';
import type { Caller } from '../../session/gateway';
import { askFeature } from '../asking';
import type { Folder, Folders } from './folders';

/** Asks features of a folder's engine and turns failures into what the protocol has for them. */
export class Questions {
  constructor(
    readonly folders: Folders,
    readonly caller: Caller,
    /** Sends at once what was typed and is still gathered: for who asks about the text as it stands. */
    readonly sendTyped: () => void,
  ) {}

  /** Answer of a feature. `undefined` when the folder is not open yet or its engine cannot answer: editor features then stay silent. */
  async quietly<Name extends FeatureName>(folder: Folder, feature: Name, params: ParamsOf<Name>, token: CancellationToken): Promise<Answer<Name> | undefined> {
    if (folder.gateway === undefined) return undefined;
    const answer = await askFeature(folder.gateway, feature, params, this.caller, token);
    return answer.ok ? answer.value : undefined;
  }

  /** Answer of a feature that the client names, with what it sends; rejects with a readable message. */
  async ask(uri: string | undefined, feature: string, params: unknown, token: CancellationToken): Promise<unknown> {
    const gateway = await this.gatewayFor(uri, token);
    const answer = await gateway.query(feature, params, this.caller, token);
    if (answer.ok) return answer.value;
    const { code, message, ...rest } = answer.error;
    throw new ResponseError(LSPErrorCodes.RequestFailed, message, { code, ...('data' in rest ? { data: rest.data } : {}) });
  }

  /** The gateway of the folder of `uri`, waiting for it to open. */
  async gatewayFor(uri: string | undefined, token: CancellationToken) {
    const folder = this.folders.folderFor(uri);
    if (folder === undefined) throw new ResponseError(LSPErrorCodes.RequestFailed, 'No folder is open.', { code: 'NOT_FOUND' });
    const opened = await orCancelled(folder.opening, token);
    if (!opened.ok) throw new ResponseError(LSPErrorCodes.RequestFailed, opened.error.message, { code: opened.error.code });
    return opened.value;
  }
}

/** Parameters of a custom request; rejects with `InvalidParams`. */
export function readParams<Params>(shape: z.ZodType<Params>, params: unknown): Params {
  const read = shape.safeParse(params);
  if (read.success) return read.data;
  const issue = read.error.issues[0];
  throw new ResponseError(ErrorCodes.InvalidParams, `Invalid parameters: ${issue === undefined ? 'unreadable' : `${issue.path.join('.')}: ${issue.message}`}`);
}

/** The one catch per request: cancellation becomes the protocol's, the rest stays as it is. */
export async function answering<Answer>(work: () => Promise<Answer>): Promise<Answer> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof Cancelled) throw new ResponseError(LSPErrorCodes.RequestCancelled, 'The request was cancelled.');
    throw error;
  }
}
