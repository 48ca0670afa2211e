import type { ClientRow, LanguageTables } from '../../framework';
import { JAVA } from '../java/tables';

const KTOR: ClientRow = {
  name: 'ktor',
  calls: {},
  makers: { 'io.ktor.client.HttpClient': null },
  methods: {
    ...Object.fromEntries(['get', 'post', 'put', 'patch', 'delete', 'head'].map(name => [name, { method: name.toUpperCase(), url: 0 }])),
    request: { method: 'ANY', url: 0 },
    preparePost: { method: 'POST', url: 0 },
    prepareGet: { method: 'GET', url: 0 },
  },
};

/** What Java has, and what only Kotlin uses. */
export const KOTLIN: LanguageTables = {
  ...JAVA,
  clients: [...JAVA.clients, KTOR],
  rpcs: [...JAVA.rpcs, { side: 'client', pattern: /(?:^|\.)(\w+)Grpc(?:Kt)?\.(?:new\w*Stub|\w+CoroutineStub)$/, address: 0 }],
};
