/** The page of the graph in the editor, as tests reach it. */
import { retry } from './workbench.mjs';

/** Runs a command and waits for the graph it opens. */
export async function opened(window, command, title) {
  await window.command(command);
  const graph = await panel(window);
  await heading(graph, title);
  return graph;
}

/** The page inside the panel, once it has drawn. */
export function panel(window, timeoutMs = 30_000) {
  return retry(async () => {
    for (const frame of window.page.frames()) {
      if (
        (await frame
          .locator('body[data-surface="graph"] :is(.canvas, .sheet, .blocks)[data-drawn]:not([hidden])')
          .count()
          .catch(() => 0)) > 0
      )
        return frame;
    }
    throw new Error('no graph is open');
  }, timeoutMs);
}

/** Waits until the graph shows what has this title. */
export async function heading(graph, text) {
  await graph.locator('h1', { hasText: new RegExp(`^${text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')}$`) }).waitFor();
  await graph.locator('#app:not([aria-busy])').waitFor();
}
