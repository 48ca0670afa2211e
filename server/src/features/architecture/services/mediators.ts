import type { GraphView, NodeHandle } from '../../../code/graph/graphView';
import { relationMask } from '../../../model/relations';

const USES_TYPE = relationMask('USES_TYPE');
const IMPLEMENTS = relationMask('IMPLEMENTS', 'INHERITS');
/** What libraries call an interface of handlers, MediatR and those after it: `IRequestHandler<Query, Answer>`. */
const HANDLERS = /^external::(?:\w+\.)*I\w*Handler$/;
const HANDLED = /\bI\w*Handler<\s*(?:\w+\.)*(?<message>\w+)/;
const METHODS: ReadonlySet<string> = new Set(['Handle', 'HandleAsync']);

/** Methods that a mediator calls for a message of a type: of classes that implement an interface of handlers of a library for it. */
export function mediatedHandlers(graph: GraphView, message: NodeHandle): NodeHandle[] {
  const { name } = graph.node(message);
  return graph
    .in(message, other => graph.kindOf(other) === 'class' && !graph.isTest(other), USES_TYPE)
    .map(({ source }) => source)
    .filter(type => HANDLED.exec(graph.signatureOf(type))?.groups?.['message'] === name)
    .filter(type => graph.out(type, undefined, IMPLEMENTS).some(({ target }) => HANDLERS.test(graph.idOf(target))))
    .flatMap(type => graph.childrenOf(type).filter(child => METHODS.has(graph.node(child).name)));
}
