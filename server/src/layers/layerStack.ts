import type { Disposable } from '../base/disposable';
import { DisposableStore } from '../base/disposable';
import type { GraphView } from '../code/graph/graphView';
import type { NodeIds } from '../model/ids';
import type { LayerSource } from './layer';
import { LayeredView } from './layeredView';

/** The layers above the code of one checkout, and the views of all layers that they make. */
export class LayerStack implements Disposable {
  readonly #views = new WeakMap<GraphView, { readonly revision: number; readonly view: LayeredView }>();
  readonly #listening = new DisposableStore();

  /** `changed` is called with every change of a layer; the next `over` has it. */
  constructor(
    private readonly interner: NodeIds,
    private readonly sources: readonly LayerSource[],
    changed: () => void,
  ) {
    for (const source of sources) this.#listening.add(source.onChange(changed));
  }

  /** Grows with each change of a layer. */
  get revision(): number {
    return this.sources.reduce((sum, source) => sum + source.version, 0);
  }

  /** Reads what the layers are fed by in short steps, so that the first view of this code is made quickly. */
  async prepare(code: GraphView, pause: () => Promise<void> | undefined): Promise<void> {
    for (const source of this.sources) await source.prepare?.(code, id => this.interner.intern(id), pause);
  }

  /** A view of the code with the layers as they are now; the same one as long as neither has changed. */
  over(code: GraphView): GraphView {
    const { revision } = this;
    const known = this.#views.get(code);
    if (known?.revision === revision) return known.view;
    const view = new LayeredView(code, this.sources, id => this.interner.intern(id), code.revision + revision);
    this.#views.set(code, { revision, view });
    return view;
  }

  dispose(): void {
    this.#listening.dispose();
  }
}
