import type { CancellationToken } from '../../../base/cancellation';
import type { Clock } from '../../../base/ports';
import { err, type Failure, ok, type Result } from '../../../base/result';
import type { Turn } from '../../../base/yield';
import type { GraphView } from '../../../code/graph/graphView';
import { communityLayer } from '../../../layers/communityLayer';
import type { LayerSource } from '../../../layers/layer';
import { LayerStack } from '../../../layers/layerStack';
import type { NodeIds } from '../../../model/ids';
import type { ServiceSettings } from '../../../model/settings';
import type { ServiceModel } from '../../../services/model';
import { isServiceFile } from '../../../services/serviceFile';
import type { ServicesPort } from '../../../workspace/services';
import type { FileTable, TrackedFile } from '../../indexing/fileTable';
import type { SurfaceStore } from '../../indexing/services/savedSurface';
import type { ServiceFileReader } from '../../indexing/services/serviceFileReader';
import { ServiceFiles } from '../../indexing/services/serviceFiles';
import { ServiceIndex, type ServicesSink } from '../../indexing/services/serviceIndex';
import type { LogError } from '../../scheduling/errorLog';
import { Blobs, type ReadBlobs } from './blobs';
import { commitHost } from './commitHost';
import type { TreeFile } from './commitTree';

/** The layer of the services of one state. */
export type ServicesOfState = ServicesSink & LayerSource;

export interface PastServicesOptions {
  readonly root: string;
  readonly workspaceName: string;
  /** The files of the state. What stands beside the code (deployments, contracts, manifests) is read again. */
  readonly files: readonly TreeFile[];
  readonly readBlobs: ReadBlobs;
  readonly table: FileTable;
  readonly code: GraphView;
  readonly interner: NodeIds;
  readonly signature: string;
  readonly digestOf: (tracked: TrackedFile) => Promise<string | undefined>;
  readonly layer: ServicesOfState;
  readonly reader: ServiceFileReader;
  readonly saved: SurfaceStore;
  readonly settings: ServiceSettings;
  readonly clock: Clock;
  readonly turn: () => Turn;
  readonly logError: LogError;
}

/** The services of a past state, made when they are first asked for, as those of the current code are. */
export class PastServices {
  readonly #index: ServiceIndex;
  readonly #layers: LayerStack;
  readonly #blobs: Blobs;

  constructor(private readonly options: PastServicesOptions) {
    const { clock, code, digestOf, files, interner, layer, logError, readBlobs, reader, root, saved, settings, signature, table, turn, workspaceName } =
      options;
    this.#blobs = new Blobs(
      readBlobs,
      files.filter(({ path }) => isServiceFile(path)),
    );
    const host = commitHost({ root, files, read: blob => this.#blobs.read(blob) });
    this.#layers = new LayerStack(interner, [layer, communityLayer()], () => undefined);
    this.#index = new ServiceIndex({
      workspaceName,
      table,
      files: new ServiceFiles({ root, host, table, reader }),
      saved,
      signature: () => signature,
      graph: () => code,
      digestOf,
      sink: layer,
      settings: () => settings,
      clock,
      turn,
      logError,
    });
  }

  get settings(): ServiceSettings {
    return this.#index.settings;
  }

  get current(): ServiceModel | undefined {
    return this.#index.current;
  }

  get built(): ServicesPort['built'] {
    return this.#index.built;
  }

  /** What others found of the current code says nothing of this state. Fails when git could not be asked for a file; the next call tries again. Throws `Cancelled`. */
  async model(token: CancellationToken): Promise<Result<ServiceModel | undefined, Failure>> {
    const anew = this.#blobs.failure !== undefined;
    this.#blobs.failure = undefined;
    const model = await this.#index.model(token, { anew });
    return this.#blobs.failure === undefined ? ok(model) : err(this.#blobs.failure);
  }

  /** The graph with the layer of the services as far as it is made. */
  get graph(): GraphView {
    return this.#layers.over(this.options.code);
  }

  close(): Promise<void> {
    return this.#index.close();
  }
}
