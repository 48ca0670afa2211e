import type { CancellationToken } from '../base/cancellation';
import type { Failure, Result } from '../base/result';
import type { Answer, FeatureName, ParamsOf } from '../features/catalogue/catalogue';
import type { Caller, Gateway } from '../session/gateway';

/** When the code is to be looked at, for features that can tell; the present without it. */
export interface PastRequest {
  readonly asOf?: string;
}

/** Asks a feature with the params that it takes, and knows what it answers. */
export function askFeature<Name extends FeatureName>(
  gateway: Pick<Gateway, 'query'>,
  feature: Name,
  params: ParamsOf<Name>,
  caller: Caller,
  token: CancellationToken,
  past: PastRequest = {},
): Promise<Result<Answer<Name>, Failure>> {
  return gateway.query(feature, { ...params, ...past }, caller, token) as Promise<Result<Answer<Name>, Failure>>;
}
