import type { WorkspacePath } from '../../base/path';
import type { ChannelFact, ContractFact } from '../serviceFile';
import { type Data, isRecord, KeyLines, listIn, recordIn, textIn } from './data';
import { headOf } from './openapi';
import type { References } from './references';
import { fieldsOf, refName, refsOf, schemaFacts } from './schemaFacts';

/** AsyncAPI 2 and 3. */
export function readAsyncApi(path: WorkspacePath, root: Data, text: string, references: References): ContractFact {
  const { resolve } = references;
  const isThree = textIn(root, 'asyncapi').startsWith('3');
  const channels = isThree ? operationsOf(root, new KeyLines(text), resolve) : channelsOf(root, new KeyLines(text), resolve);
  return {
    ...headOf(path, root),
    type: 'asyncapi',
    format: textIn(root, 'asyncapi'),
    basePaths: [],
    operations: [],
    channels,
    schemas: schemaFacts(recordIn(recordIn(root, 'components'), 'schemas'), new KeyLines(text), resolve),
  };
}

/** AsyncAPI 2: each channel says what is published and what is subscribed to. */
function channelsOf(root: Data, lines: KeyLines, resolve: References['resolve']): ChannelFact[] {
  return Object.entries(recordIn(root, 'channels')).flatMap(([channel, given]) => {
    const line = lines.next(channel);
    const item = followed(given, resolve);
    return (['publish', 'subscribe'] as const).flatMap((verb): ChannelFact[] => {
      const operation = isRecord(item) ? item[verb] : undefined;
      if (!isRecord(operation)) return [];
      const message = followed(operation['message'], resolve);
      const name = textIn(operation, 'operationId') || channel;
      return [{ direction: verb === 'publish' ? 'publish' : 'consume', name, channel, line, ...payloadOf([message], resolve) }];
    });
  });
}

/** AsyncAPI 3: operations name their channel. */
function operationsOf(root: Data, lines: KeyLines, resolve: References['resolve']): ChannelFact[] {
  return Object.entries(recordIn(root, 'operations')).flatMap(([id, given]): ChannelFact[] => {
    const line = lines.next(id);
    const operation = followed(given, resolve);
    const action = textIn(operation, 'action');
    if (!isRecord(operation) || (action !== 'send' && action !== 'receive')) return [];
    const ref = isRecord(operation['channel']) ? operation['channel']['$ref'] : undefined;
    const item = typeof ref === 'string' ? resolve(ref) : operation['channel'];
    const channel = textIn(item, 'address') || refName(ref) || id;
    const named = listIn(operation, 'messages').map(message => followed(followed(message, resolve), resolve));
    const messages = named.length > 0 ? named : Object.values(recordIn(item, 'messages')).map(message => followed(message, resolve));
    return [{ direction: action === 'send' ? 'publish' : 'consume', name: id, channel, line, ...payloadOf(messages, resolve) }];
  });
}

function payloadOf(messages: readonly unknown[], resolve: References['resolve']): Pick<ChannelFact, 'payload' | 'refs'> {
  const all = messages
    .flatMap(message => (Array.isArray(recordless(message)) ? (recordless(message) as unknown[]) : [message]))
    .map(one => followed(one, resolve));
  const payloads = all
    .map(message => (isRecord(message) ? message['payload'] : undefined))
    .map(payload => (isRecord(payload) && isRecord(payload['schema']) ? payload['schema'] : payload));
  return { payload: payloads.flatMap(payload => fieldsOf(payload, resolve)), refs: [...new Set(payloads.flatMap(payload => refsOf(payload)))] };
}

function recordless(message: unknown): unknown {
  return isRecord(message) ? message['oneOf'] : undefined;
}

function followed(value: unknown, resolve: References['resolve']): unknown {
  const ref = isRecord(value) ? value['$ref'] : undefined;
  return typeof ref === 'string' ? resolve(ref) : value;
}
