import { basename, extname, type WorkspacePath } from '../base/path';
import { CONFIG_FILE } from './discovery/configNames';
import { readAsyncApi } from './files/asyncapi';
import { readSkaffold, readTilt } from './files/builds';
import { isComposeName, readCompose, readLabelRoutes } from './files/compose';
import { flattened, gatewayRoutes, readEnvironment, readProperties } from './files/configuration';
import { type Data, isRecord, readData } from './files/data';
import { isDomainModel, isServiceMap, readDomainModel, readServiceMap } from './files/declared';
import { readDockerfile } from './files/docker';
import { readDocument, readFederation, readGraphQl } from './files/graphql';
import { isJsonSchema, readJsonSchema } from './files/jsonSchema';
import { looksLikeKubernetes, readKubernetes, withoutTemplating } from './files/kubernetes';
import { readManifest } from './files/manifests';
import { readOpenApi } from './files/openapi';
import { readProto } from './files/proto';
import { readApache, readCaddy, readHaproxy, readNginx } from './files/proxies';
import { type ReadOther, References } from './files/references';
import { ENVIRONMENT_EXAMPLE, isDockerfile, isEnvironmentFile, type ServiceFile } from './serviceFile';

type Part = Partial<Omit<ServiceFile, 'path' | 'problems'>>;

/** Reads one file. `other` gives the texts of files that its references lead to. Undefined for a file that says nothing of services. */
export function readServiceFile(path: WorkspacePath, text: string, other: ReadOther): ServiceFile | undefined {
  const name = basename(path);
  const lower = name.toLowerCase();
  const extension = extname(path);
  if (isDockerfile(lower) && !DATA_EXTENSIONS.has(extension)) return whole(path, { docker: readDockerfile(text) });
  if (extension === '.proto') return whole(path, { contract: readProto(path, text) });
  if (GRAPHQL.has(extension)) {
    const contract = readGraphQl(path, text);
    return whole(path, contract === undefined ? { documents: readDocument(text) } : { contract, proxies: readFederation(text) });
  }
  if (lower === 'tiltfile') return whole(path, { units: readTilt(path, text) });
  if (lower === 'caddyfile') return whole(path, { proxies: readCaddy(text) });
  if (lower === 'haproxy.cfg') return whole(path, { proxies: readHaproxy(text) });
  if (extension === '.properties' || ENVIRONMENT_EXAMPLE.test(lower)) return whole(path, { config: isMessages(lower) ? {} : readProperties(text) });
  if (isEnvironmentFile(lower)) return whole(path, { config: readEnvironment(text) });
  if (/\.conf(?:\.template)?$/.test(lower)) return whole(path, { proxies: [...readNginx(text), ...readApache(text)] });
  const manifest = readManifest(path, text);
  if (manifest !== undefined) return whole(path, { manifest });
  return DATA_EXTENSIONS.has(extension) || /\.ya?ml\.tpl$/.test(lower) ? readDataFile(path, text, other) : undefined;
}

const DATA_EXTENSIONS: ReadonlySet<string> = new Set(['.yaml', '.yml', '.json']);
const GRAPHQL: ReadonlySet<string> = new Set(['.graphql', '.graphqls', '.gql']);

/** Texts for people. */
function isMessages(name: string): boolean {
  return /^(?:messages|validationmessages|gradle|maven)[\w-]*\.properties$/.test(name);
}

function whole(path: WorkspacePath, part: { [Key in keyof Part]: Part[Key] | undefined }, problems: ServiceFile['problems'] = []): ServiceFile | undefined {
  const kept = Object.fromEntries(Object.entries(part).filter(([, value]) => value !== undefined && !isEmpty(value))) as Part;
  return Object.keys(kept).length === 0 && problems.length === 0 ? undefined : { path, ...kept, problems };
}

function isEmpty(value: object): boolean {
  return Array.isArray(value) ? value.length === 0 : Object.keys(value).length === 0;
}

const CONTRACT_KEY = /(?:^|[{,])\s*["']?(?:openapi|swagger|asyncapi)["']?\s*:/m;
const SCHEMA_KEY = /["']?\$schema["']?\s*:\s*["']?https?:\/\/json-schema\.org\//;
const GATEWAY =
  /^\s*(?:gateway|zuul|static_resources)\s*:|"ReverseProxy"\s*:|^\s*routers\s*:|"UpstreamPathTemplate"\s*:|^_format_version\s*:|"url_pattern"\s*:/m;
const CONFIGURATION =
  /^(?:application|bootstrap|appsettings|config(?:uration)?|settings|default|production|development|local|docker|values)[\w.-]*\.(?:ya?ml|json)$/i;

/** What a data file may be, by its name and by words in it: only such files are parsed. */
interface Guess {
  readonly contract: boolean;
  readonly declared: boolean;
  readonly skaffold: boolean;
  readonly compose: boolean;
  readonly configuration: boolean;
  readonly cluster: boolean;
  readonly gateway: boolean;
}

function guess(path: WorkspacePath, source: string): Guess {
  const name = basename(path);
  return {
    contract: CONTRACT_KEY.test(source) || SCHEMA_KEY.test(source),
    declared: isServiceMap(path) || isDomainModel(path),
    skaffold: /^skaffold.*\.ya?ml$/i.test(name),
    compose: isComposeName(name),
    configuration: CONFIGURATION.test(name) || CONFIG_FILE.test(path),
    cluster: looksLikeKubernetes(source),
    gateway: GATEWAY.test(source),
  };
}

/** Whether a file whose beginning is known is one that people miss when it is not read. */
export function isMeantForServices(path: WorkspacePath, head: string): boolean {
  if (!DATA_EXTENSIONS.has(extname(path))) return false;
  const { compose, contract, declared } = guess(path, head);
  return compose || contract || declared;
}

function readDataFile(path: WorkspacePath, source: string, other: ReadOther): ServiceFile | undefined {
  const is = guess(path, source);
  if (!Object.values(is).includes(true)) return undefined;
  const isTemplate = source.includes('{{') && !is.contract;
  const text = isTemplate ? withoutTemplating(source) : source;
  const { documents, problem } = readData(text, extname(path) === '.json');
  const problems = problem === undefined || isTemplate || !(is.contract || is.declared || is.compose) ? [] : [{ file: path, ...problem }];
  const [root] = documents;
  if (!isRecord(root)) return whole(path, {}, problems);
  if (isServiceMap(path)) return whole(path, { map: readServiceMap(root, text) }, problems);
  if (isDomainModel(path)) return whole(path, { domain: readDomainModel(root, text) }, problems);
  const contract = is.contract ? contractIn(path, root, text, other) : undefined;
  if (contract !== undefined) return whole(path, contract, problems);
  if (is.skaffold) return whole(path, { units: readSkaffold(path, documents, text) }, problems);
  return whole(path, deploymentIn(path, is, documents, text), problems);
}

function deploymentIn(path: WorkspacePath, is: Guess, documents: readonly unknown[], text: string): Part {
  const [root] = documents;
  if (is.cluster) return readKubernetes(path, documents, text);
  const isCompose = is.compose || (isRecord(root) && isRecord(root['services']) && /\b(?:image|build)\s*:/.test(text));
  return {
    ...(isCompose && isRecord(root) ? { units: readCompose(path, root, text) } : {}),
    ...(is.configuration ? { config: flattened(documents) } : {}),
    proxies: isCompose && isRecord(root) ? readLabelRoutes(root, text) : gatewayRoutes(documents, text),
  };
}

function contractIn(path: WorkspacePath, root: Data, text: string, other: ReadOther): Part | undefined {
  const references = new References(path, root, other);
  const contract =
    hasVersion(root['openapi']) || hasVersion(root['swagger'])
      ? readOpenApi(path, root, text, references)
      : hasVersion(root['asyncapi'])
        ? readAsyncApi(path, root, text, references)
        : isJsonSchema(root)
          ? readJsonSchema(path, root, text, references)
          : undefined;
  if (contract === undefined) return undefined;
  return { contract, ...(references.looked.size > 0 ? { references: [...references.looked] } : {}) };
}

function hasVersion(value: unknown): boolean {
  return typeof value === 'string' || typeof value === 'number';
}
