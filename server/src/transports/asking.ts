import type { CancellationToken } from '../base/cancellation';
import type { Failure, Result } from '../base/result';
import type { Answer, FeatureName, ParamsOf } from '../features/catalogue/catalogue';
import type { Caller, Gateway } from '../session/gateway';

/** Asks a feature with the params that it takes, and knows what it answers. */
export function askFeature<Name extends FeatureName>(
  gateway: Pick<Gateway, 'query'>,
  feature: Name,
  params: ParamsOf<Name>,
  caller: Caller,
  token: CancellationToken,
): Promise<Result<Answer<Name>, Failure>> {
  return gateway.query(feature, params, caller, token) as Promise<Result<Answer<Name>, Failure>>;
}
