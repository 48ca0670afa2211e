import { randomBytes } from 'node:crypto';
import type { Log } from '../base/ports';
import { err, type Failure, type Result } from '../base/result';
import { type SocketPlace, socketAddress, usablePlace } from '../session/addresses';
import { livenessOf } from '../session/liveness';
import { OWN_PROTOCOL } from '../session/messages';
import { claimOwnership } from '../session/ownerLock';
import { OwnerServer } from '../session/ownerServer';
import { processOrigin } from '../session/processOrigin';
import type { Fence } from '../store/fence';
import { version } from './version';

interface Ownership {
  readonly lockFolder: string;
  readonly place: SocketPlace;
  readonly lowestGeneration: () => Promise<number>;
}

/**
 * Does `work` as the owner of the project, so that no other process can open its data meanwhile; those that come are told to try again.
 * Codes: `CONFLICT` when another process owns it, `UNAVAILABLE`, those of `work`.
 */
export async function withProjectLock<T>(
  { lockFolder, lowestGeneration, place }: Ownership,
  work: (fence: Fence) => Promise<Result<T, Failure>>,
): Promise<Result<T, Failure>> {
  const usable = await usablePlace(place);
  if (!usable.ok) return usable;
  const listening = await OwnerServer.listen({
    address: socketAddress(usable.value, lockFolder),
    token: randomBytes(24).toString('hex'),
    versions: OWN_PROTOCOL,
    engineVersion: version,
    log: SILENT,
  });
  if (!listening.ok) return listening;
  const server = listening.value;
  const { address, token } = server.options;
  const candidate = { address, token, pid: process.pid, seat: processOrigin(), ...OWN_PROTOCOL, engineVersion: version };
  const claim = await claimOwnership(lockFolder, {
    candidate: () => Promise.resolve({ ok: true, value: candidate }),
    liveness: card => livenessOf(card, lockFolder),
    lowestGeneration,
  });
  try {
    if (!claim.ok) return claim;
    if (claim.value.kind === 'guest') return err({ code: 'CONFLICT', message: `The data is in use by process ${claim.value.card.pid}.` });
    return await work(claim.value.lease);
  } finally {
    if (claim.ok && claim.value.kind === 'owner') await claim.value.lease.end();
    await server.close();
  }
}

const SILENT: Log = { write: () => undefined };
