import { compareText } from '../../../base/text';
import { FACT_CONFIDENCE } from '../../../model/evidence';
import { type BrokenCall, brokenEndpoints } from '../../../services/brokenEndpoints';
import type { Endpoint, ServiceModel } from '../../../services/model';
import type { Breaking, BrokenUse, ReadFiles } from '../breaking';

/** Uses told of one endpoint. */
const MAX_USES = 50;

export interface BreakingEndpointsSources {
  readonly before: ServiceModel;
  readonly after: ServiceModel;
  readonly read: ReadFiles;
  /** Whether a file of the older state, which handles or declares an endpoint, is asked about. */
  readonly within: (path: string) => boolean;
}

/** Endpoints that break the services that call them, with the calls that did not change. In order of their ids. */
export async function breakingEndpoints({ after, before, read, within }: BreakingEndpointsSources): Promise<Breaking[]> {
  const broken = await brokenEndpoints({
    before: { ...before, endpoints: before.endpoints.filter(({ handlerPlace, place }) => within(handlerPlace?.file ?? place?.file ?? '')) },
    after,
    async lineOfUnchanged({ file, line }) {
      const texts = await read(file);
      return texts !== undefined && texts.before === texts.after ? line : undefined;
    },
  });
  return broken
    .map(({ calls, fresh, old }): Breaking => {
      const uses = calls.map(useOf).sort((a, b) => compareText(a.path, b.path) || a.line - b.line);
      return {
        id: old.id,
        kind: 'endpoint',
        reason: fresh === undefined ? 'removed' : 'signature',
        ...(fresh === undefined ? {} : { nowId: fresh.id, oldSignature: signatureOf(old), signature: signatureOf(fresh) }),
        uses: uses.slice(0, MAX_USES),
        total: uses.length,
      };
    })
    .sort((a, b) => compareText(a.id, b.id));
}

function useOf({ line, request: { caller, confidence, place } }: BrokenCall): BrokenUse {
  return {
    id: caller ?? place.file,
    path: place.file,
    line,
    relation: 'REQUESTS_ENDPOINT',
    isTest: false,
    ...(confidence < FACT_CONFIDENCE ? { possible: true as const } : {}),
  };
}

/** `GET /orders/{id}(sku*, count) → id, total` */
function signatureOf({ method, path, request, response }: Endpoint): string {
  const asked = request.map(({ name, required }) => `${name}${required ? '*' : ''}`).join(', ');
  return `${method} ${path}(${asked})${response.length === 0 ? '' : ` → ${response.map(({ name }) => name).join(', ')}`}`;
}
