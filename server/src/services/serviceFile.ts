/**
 * What files beside the code say of services: contracts, deployments, builds, manifests, configuration, gateways.
 * Each file is read alone and reduced to the few facts below; nothing here touches a disk, and a file that cannot be read is a problem with a line, never a stop.
 */

import { basename, extname, type WorkspacePath } from '../base/path';
import { manifestName } from './files/manifestNames';
import type { ManifestKind } from './files/manifests';

export interface FileProblem {
  readonly file: WorkspacePath;
  /** 1-based; 0 where the file as a whole is meant. */
  readonly line: number;
  readonly message: string;
}

/** A named value of a schema, as far as one level tells. */
export interface SchemaField {
  readonly name: string;
  readonly type: string;
  readonly required: boolean;
  /** Name of the schema that the type refers to, `''` for none. */
  readonly ref: string;
}

export interface SchemaFact {
  readonly name: string;
  readonly line: number;
  readonly description: string;
  readonly fields: readonly SchemaField[];
}

export interface OperationFact {
  /** Upper case. `GRPC` for remote procedures, `QUERY`, `MUTATION` and `SUBSCRIPTION` for GraphQL. */
  readonly method: string;
  /** As the contract writes it, without the server's base path. */
  readonly path: string;
  readonly operationId: string;
  readonly summary: string;
  readonly line: number;
  readonly request: readonly SchemaField[];
  readonly response: readonly SchemaField[];
  /** Names of the schemas that request and response refer to. */
  readonly refs: readonly string[];
  /** Names of the security schemes, `[]` for none. */
  readonly security: readonly string[];
  /** Requests over HTTP that a remote procedure stands for (`google.api.http`). */
  readonly bindings?: readonly { readonly method: string; readonly path: string }[];
}

export interface ChannelFact {
  /** What the document says that its application does; AsyncAPI 2 is read as `publish: this service publishes`. */
  readonly direction: 'publish' | 'consume';
  readonly name: string;
  readonly channel: string;
  readonly line: number;
  readonly payload: readonly SchemaField[];
  readonly refs: readonly string[];
}

export type ContractType = 'openapi' | 'asyncapi' | 'json_schema' | 'proto' | 'graphql';

export interface ContractFact {
  /** `x-contract-id`, else the path of the file. */
  readonly id: string;
  readonly type: ContractType;
  /** Of the format: `2.0`, `3.1.0`. */
  readonly format: string;
  readonly title: string;
  readonly version: string;
  /** `x-service`, `''` for none. */
  readonly service: string;
  readonly deprecated: boolean;
  /** Base paths of servers, without host; `''` is left out. */
  readonly basePaths: readonly string[];
  readonly operations: readonly OperationFact[];
  readonly channels: readonly ChannelFact[];
  readonly schemas: readonly SchemaFact[];
}

/** A container that a deployment runs or builds. */
export interface UnitFact {
  /** `compose`, `kubernetes`, `skaffold`, `tilt`, `helm`, `aspire`. */
  readonly source: UnitSource;
  readonly name: string;
  readonly line: number;
  /** Without registry and tag; `''` where only a build is given. */
  readonly image: string;
  /** Folder that is built, undefined without a build; outside the workspace counts as none. */
  readonly context: WorkspacePath | undefined;
  /** Path of the Dockerfile, undefined where none is named. */
  readonly dockerfile: WorkspacePath | undefined;
  /** Words of build arguments and targets, which may name the folder that a shared Dockerfile builds. */
  readonly buildWords: readonly string[];
  /** Values that are no secrets: addresses and names. */
  readonly env: Readonly<Record<string, string>>;
  /** Names of configuration maps whose values are taken over. */
  readonly envFrom: readonly string[];
  /** Files whose values are taken over. */
  readonly envFiles?: readonly WorkspacePath[];
  /** Folder of the workspace that the container works in, where it is mounted and not built. */
  readonly mounted?: WorkspacePath;
  /** Other names it is reached by: host names, links, labels. */
  readonly aliases: readonly string[];
  readonly ports: readonly string[];
}
export type UnitSource = 'compose' | 'kubernetes' | 'skaffold' | 'tilt' | 'helm' | 'aspire';

export interface DockerfileFact {
  /** Image of the last stage, without tag. */
  readonly base: string;
  /** Words that look like paths in instructions that copy and build. */
  readonly paths: readonly string[];
  /** Values that are no secrets. */
  readonly env: Readonly<Record<string, string>>;
}

export interface ManifestFact {
  readonly kind: ManifestKind;
  readonly name: string;
  readonly description: string;
  readonly version: string;
  /** Has members of its own: a parent, not a service. */
  readonly isParent: boolean;
  /** Paths and patterns of members, relative to the manifest. */
  readonly members: readonly string[];
  readonly dependencies: readonly string[];
  /** Says that it can be started: a start script, a binary, a plugin that packs an application. */
  readonly isRunnable: boolean;
  /** A library and nothing else, whatever is in it. */
  readonly isLibrary?: true;
  /** Others are built with it, whether it is a program besides or not. */
  readonly isShared?: true;
  /** Folders of the projects that it is built with. */
  readonly builtWith?: readonly WorkspacePath[];
}

/** A gateway's way from a path to another service. */
export interface ProxyRoute {
  readonly line: number;
  /** Path as it comes in, without wildcards at its end; `''` for any. */
  readonly path: string;
  /** Host or name of the service that is called, as written. */
  readonly target: string;
  /** Path that is called: what stands in place of `path`. */
  readonly rewritten: string;
  readonly kind:
    | 'nginx'
    | 'apache'
    | 'envoy'
    | 'traefik'
    | 'spring-cloud-gateway'
    | 'zuul'
    | 'yarp'
    | 'ocelot'
    | 'kong'
    | 'krakend'
    | 'ingress'
    | 'haproxy'
    | 'caddy'
    | 'graphql';
}

export interface DeclaredService {
  readonly name: string;
  readonly domain: string;
  readonly description: string;
  readonly stack: Readonly<Record<string, string>>;
  readonly estimatedLoc: number | undefined;
  readonly paths: readonly string[];
  readonly contracts: readonly string[];
  readonly line: number;
}

export interface ServiceMapFact {
  readonly projectName: string;
  readonly services: readonly DeclaredService[];
}

export interface DomainModelFact {
  readonly entities: readonly {
    readonly name: string;
    readonly description: string;
    readonly owner: string;
    readonly fields: readonly SchemaField[];
    readonly line: number;
  }[];
  readonly relationships: readonly { readonly source: string; readonly target: string; readonly type: string; readonly cardinality: string }[];
}

/** What one file beside the code says of services. Absent parts were not in it. */
export interface ServiceFile {
  readonly path: WorkspacePath;
  readonly contract?: ContractFact;
  readonly units?: readonly UnitFact[];
  readonly docker?: DockerfileFact;
  readonly manifest?: ManifestFact;
  /** Keys of configuration with their values: `application.yml`, `.properties`, examples of `.env`, `orders.env`; nested keys joined by dots. Secrets are left out. */
  readonly config?: Readonly<Record<string, string>>;
  /** Values of configuration maps by the name of the map. */
  readonly configMaps?: Readonly<Record<string, Readonly<Record<string, string>>>>;
  readonly proxies?: readonly ProxyRoute[];
  /** Root fields that documents of GraphQL ask for. */
  readonly documents?: readonly { readonly method: string; readonly field: string; readonly line: number }[];
  readonly map?: ServiceMapFact;
  readonly domain?: DomainModelFact;
  /** Files of the workspace that references lead to: they are read with it. */
  readonly references?: readonly WorkspacePath[];
  readonly problems: readonly FileProblem[];
}

const EXTENSIONS: ReadonlySet<string> = new Set(['.yaml', '.yml', '.json', '.proto', '.graphql', '.graphqls', '.gql', '.properties', '.conf', '.dockerfile']);

const NAMES: ReadonlySet<string> = new Set(['tiltfile', 'caddyfile', 'haproxy.cfg', 'web.xml']);

/** Names that hold nothing of ours, however many of them there are. */
const NEVER =
  /^(?:tsconfig.*|.*\.schema-lock|package-lock|npm-shrinkwrap|composer\.lock|\.eslintrc|\.prettierrc|renovate|angular|nx|lerna|turbo|biome|pnpm-lock)\.(?:json|ya?ml)$/;

/** Whether a file may say anything of services, by its path alone. */
export function isServiceFile(path: WorkspacePath): boolean {
  const name = basename(path).toLowerCase();
  if (NEVER.test(name)) return false;
  if (NAMES.has(name) || manifestName(basename(path)) !== undefined || isDockerfile(name) || ENVIRONMENT_EXAMPLE.test(name) || isEnvironmentFile(name))
    return true;
  if (name.endsWith('.conf.template') || name.endsWith('.yaml.tpl') || name.endsWith('.yml.tpl')) return true;
  return EXTENSIONS.has(extname(path));
}

/** Whether a file holds routes of Symfony, by its path. */
export const SYMFONY_ROUTES = /(?:^|\/)(?:config\/(?:routes|routing)(?:[-_/][\w./-]*)?|Resources\/config\/(?:routes|routing)(?:[-_/][\w./-]*)?)\.ya?ml$/;

export const ENVIRONMENT_EXAMPLE = /^\.?env[.-](?:example|sample|template|dist|defaults)$|^(?:example|sample)\.env$/;

/** Files that programs are started with: `orders.env`, not `.env` itself, which is never read. Addresses and names of images alone are kept. `name` in lower case. */
export function isEnvironmentFile(name: string): boolean {
  return /^[\w.-]+\.env$/.test(name);
}

/** `name` in lower case. */
export function isDockerfile(name: string): boolean {
  return /^(?:.*[.-])?dockerfile(?:[.-].*)?$/.test(name) && !name.endsWith('.dockerignore');
}
