import { stem } from '../tokenizer';

/**
 * What names say where sentences say something else: `isReady` is whether something is ready, `getUser` returns a user, `initDir` sets up a directory.
 * A word of the language and the words that stand for it in names. What the comments and names of twenty-one projects in six languages showed
 * (one is in comments of functions with the other in their names much more often than by chance, in four projects at least) and the usual
 * synonyms and short forms of programming; those projects are others than the ones that searches are measured on. What it is worth: docs/retrieval-log.md.
 */
const RELATED = `
whether: is has can should; if: is has; true: is has; false: is has; test: is has; determine: is; check: is has validate verify
contain: has; present: has; exist: has exists; any: has; when: on handle; after: on; call: on invoke; invoke: call run
convert: to as from into; representation: to as; transform: to convert; turn: to
return: get; retrieve: get fetch; obtain: get; fetch: get; access: get; provide: get; give: get; extract: get parse
search: find lookup; look: find lookup; lookup: find get; find: search lookup; locate: find
create: make build new; make: create build; build: make create; construct: build make; generate: make create; produce: make create
instantiate: create new make; instance: create new; initialize: init; setup: init prepare; prepare: setup init; define: def add
add: append register insert; append: add push; insert: add; register: add
remove: delete del unset drop; delete: remove del; pop: remove; discard: remove drop; drop: remove; destroy: close delete remove
clear: clean reset; clean: clear; cleanup: clean clear close; empty: clear
change: set update; modify: set update; update: set; set: update; replace: sub; substitute: replace sub
copy: clone; clone: copy; duplicate: copy clone; compare: equal eq; ensure: validate; valid: validate; evaluate: eval run
start: begin run; begin: start; run: exec do; execute: exec run; perform: do run; wait: sleep delay; delay: wait
stop: close end; finish: end close done; shutdown: close stop; terminate: stop kill end; cancel: abort
read: load; load: read; write: dump save; store: save set put; output: print write
parse: read decode; decode: parse load; encode: serialize dump; serialize: encode dump to; deserialize: decode load from
display: show print format; show: display print; print: show format; quote: escape
handle: process on; process: handle; emit: fire trigger dispatch notify; fire: emit trigger; trigger: fire emit; dispatch: emit send; notify: emit on
merge: combine join; combine: merge join; join: merge; separate: split; split: separate; sort: order; order: sort
select: pick choose filter; filter: select exclude; iterate: iter each walk; yield: iter; traverse: walk visit; raise: throw
calculate: calc compute get; compute: calc get; number: num count len size; size: length len; length: len
maximum: max; minimum: min; previous: prev; current: cur curr; original: orig; temporary: tmp temp; automatic: auto; regular: regex re
directory: dir; folder: dir; environment: env; address: addr; source: src; destination: dest dst; position: pos; index: idx; pointer: ptr; buffer: buf
string: str; integer: int; boolean: bool; character: char; dictionary: dict; object: obj; value: val; property: prop; attribute: attr; column: col
argument: arg; parameter: param; variable: var; function: func fn; expression: expr; statement: stmt; operator: op; operation: op
declaration: decl; definition: def; specification: spec; reference: ref; identifier: id; separator: sep; iterator: iter; difference: diff
error: err; invalid: error; message: msg; information: info; document: doc; configuration: config conf; context: ctx; command: cmd; callback: cb
request: req; response: res resp; connection: conn; database: db; repository: repo; package: pkg; library: lib; application: app
authentication: auth; authorization: auth; administrator: admin; asynchronous: async; synchronous: sync; image: img; button: btn
`;

const BY_STEM: ReadonlyMap<string, readonly string[]> = new Map(
  RELATED.trim()
    .split(/[;\n]/)
    .map(entry => entry.split(':').map(side => side.trim().split(' ').map(stem)))
    .map(([[source = ''] = [], words = []]) => [source, words]),
);

/** Stemmed words that names use for a stemmed word. */
export function relatedTo(source: string): readonly string[] {
  return BY_STEM.get(source) ?? [];
}
