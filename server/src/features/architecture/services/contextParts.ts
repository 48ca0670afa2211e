import type { SchemaField } from '../../../services/serviceFile';

export interface ProvidedEndpoint {
  readonly method: string;
  readonly path: string;
  readonly handler: string;
  readonly contractId: string;
  readonly place: string;
}

export interface ConsumedEndpoint {
  readonly method: string;
  readonly path: string;
  readonly provider: string;
  readonly fields: readonly SchemaField[];
  readonly security: readonly string[];
}

export interface PublishedEvent {
  readonly name: string;
  readonly channel: string;
  readonly fields: readonly SchemaField[];
  /** Services that consume it. */
  readonly consumers: readonly string[];
}

export interface ConsumedEvent {
  readonly name: string;
  /** The first by name, `''` for none. */
  readonly publisher: string;
  readonly fields: readonly SchemaField[];
}

export interface ContextEntity {
  readonly name: string;
  readonly owner: string;
  readonly fields: readonly SchemaField[];
}

export interface ServiceContext {
  readonly service: string;
  readonly provided: readonly ProvidedEndpoint[];
  readonly consumed: readonly ConsumedEndpoint[];
  readonly published: readonly PublishedEvent[];
  readonly consumedEvents: readonly ConsumedEvent[];
  readonly owned: readonly ContextEntity[];
  readonly referenced: readonly ContextEntity[];
  readonly dependsOn: readonly string[];
  readonly dependedOnBy: readonly string[];
  readonly topology: readonly { readonly service: string; readonly depth: number; readonly direction: 'depends_on' | 'depended_on_by' }[];
  readonly stores: readonly string[];
  readonly text: string;
}
