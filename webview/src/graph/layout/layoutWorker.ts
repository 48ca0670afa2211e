/** The worker's side of `LayoutClient`. Built as a bundle of its own and carried inside the page's script as text. */
import { arrange } from './arrangement';
import type { LayoutRequest } from './layoutTypes';

const scope = self as unknown as {
  addEventListener(type: 'message', listener: (event: { readonly data: { readonly number: number; readonly request: LayoutRequest } }) => void): void;
  postMessage(message: unknown): void;
};

scope.addEventListener('message', ({ data: { number, request } }) => scope.postMessage({ number, arrangement: arrange(request) }));
