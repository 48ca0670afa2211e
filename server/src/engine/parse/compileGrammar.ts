/** How V8 compiles grammars. Its flags belong to the whole process, and what a module may become is decided when it is compiled. */
import { setFlagsFromString } from 'node:v8';

/** Node's types name WebAssembly without declaring its values. */
const runtime = globalThis as unknown as { readonly WebAssembly: { readonly Module: new (bytes: Uint8Array) => object } };

/**
 * Compiles `wasm` so that loading the same bytes finds it compiled, on this thread and all others, for as long as the module lives.
 * A rare grammar never gets optimized code: the lexer of a large grammar is one function of up to 160 kB, optimizing it costs more than
 * a second of processor time, V8 sets about it after a few lines of source, and a process cannot end before it is done.
 * `lock` is one shared 32-bit integer.
 */
export function compileGrammar(wasm: Uint8Array, isRare: boolean, lock: Int32Array): object {
  while (Atomics.compareExchange(lock, 0, 0, 1) !== 0) Atomics.wait(lock, 0, 1);
  try {
    if (isRare) setFlagsFromString('--no-wasm-dynamic-tiering');
    return new runtime.WebAssembly.Module(wasm);
  } finally {
    setFlagsFromString('--wasm-dynamic-tiering');
    Atomics.store(lock, 0, 0);
    Atomics.notify(lock, 0);
  }
}

/** To be called before anything is compiled. Without it, functions of modules without dynamic tiering would be optimized at their first call. */
export function optimizeLess(): void {
  setFlagsFromString('--no-wasm-tier-up');
  setFlagsFromString('--wasm-dynamic-tiering');
  // Half of what is optimized runs for a few seconds only, three times over in as many isolates: inlining less costs less than it gains.
  setFlagsFromString('--max-inlined-bytecode-size-cumulative=200');
}
