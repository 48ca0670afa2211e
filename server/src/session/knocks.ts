import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import type { Log } from '../base/ports';
import { MAX_ADDRESS_BYTES, messageOf } from './addresses';
import type { OwnerLease } from './ownerLock';
import type { OwnerServer } from './ownerServer';

export interface Answering {
  readonly lease: OwnerLease;
  readonly server: OwnerServer;
  readonly log: Log;
  /** Somebody cannot reach this owner in any way. */
  readonly onUnreachable: () => void;
}

/** Lets those in who do not see the owner's socket: `liveness` says how they ask. */
export function answerKnocks({ lease, log, onUnreachable, server }: Answering): void {
  lease.onKnock = async tried => {
    if (lease.card.near === undefined) {
      const address = nearAddress(lease.folder);
      const problem = address === undefined ? 'there is no room for a socket in the data folder' : await listen(lease, server, address);
      if (problem === undefined) {
        log.write('info', `A process does not see the owner socket. Another one was created at ${address}`);
        return;
      }
      log.write('info', `A process does not see the owner socket, and no other can be created: ${problem}`);
    }
    const { near } = lease.card;
    if (near === undefined || tried.includes(near)) onUnreachable();
  };
}

/** `undefined` where a socket cannot have this path. */
function nearAddress(lockFolder: string): string | undefined {
  const address = join(lockFolder, `${randomBytes(3).toString('hex')}.s`);
  return address.startsWith('/') && Buffer.byteLength(address) <= MAX_ADDRESS_BYTES ? address : undefined;
}

/** The problem, if there is one. */
async function listen(lease: OwnerLease, server: OwnerServer, near: string): Promise<string | undefined> {
  const listening = await server.listenNear(near);
  if (!listening.ok) return listening.error.message;
  try {
    await lease.tell({ near });
    return undefined;
  } catch (error) {
    return messageOf(error);
  }
}
