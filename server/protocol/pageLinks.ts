/**
 * Links and tables of the Markdown pages that Lattice shows in the editor's preview. The preview opens addresses without a scheme only, and reads those that
 * begin with a slash from the first folder of the workspace. It lets tables reach over its edge.
 */

/**
 * Address of a line (1-based; 0 for the file as a whole) of a file in a folder, for a page of a workspace whose first folder is `first`.
 * `undefined` where the two folders are not on one file system, and for a path that leads out of its folder. `first` and `folder` are URIs, `path` is relative to `folder`.
 */
export function pageLink(first: string, folder: string, path: string, line = 0): string | undefined {
  const [from, to] = [partsOf(first), partsOf(folder)];
  // Half a character has no address.
  if (from === undefined || to === undefined || from.origin !== to.origin || /\p{Surrogate}/u.test(path) || LEADS_OUT.test(path)) return undefined;
  let same = 0;
  while (same < from.segments.length && same < to.segments.length && from.segments[same] === to.segments[same]) same++;
  const segments = [...from.segments.slice(same).map(() => '..'), ...to.segments.slice(same), ...path.split('/').map(encoded)];
  return `/${segments.join('/')}${line > 0 ? `#L${line}` : ''}`;
}

const LEADS_OUT = /(?:^|[\\/])\.\.(?:[\\/]|$)/;

function partsOf(uri: string): { readonly origin: string; readonly segments: readonly string[] } | undefined {
  const { origin, rest } = /^(?<origin>[a-z][a-z\d+.-]*:\/\/[^/]*)\/(?<rest>[^?#]*)/i.exec(uri)?.groups ?? {};
  return origin === undefined || rest === undefined ? undefined : { origin, segments: rest.split('/').filter(segment => segment !== '') };
}

/** Parentheses would end a link. */
function encoded(segment: string): string {
  return encodeURIComponent(segment).replace(/[()]/g, sign => `%${sign.charCodeAt(0).toString(16)}`);
}

/** A Markdown table that scrolls by itself where the page is too narrow for it. */
export function scrolling(table: string): string {
  return `<div style="overflow-x: auto">\n\n${table}\n\n</div>`;
}

/** Names and paths up to this length fit into a column of a narrow page. */
export const MAX_UNBROKEN = 16;

/** A long name or path in which the page may break lines, after its points, slashes and underscores and before capitals; `escape` makes Markdown of each part. */
export function breakable(text: string, escape: (part: string) => string): string {
  if (text.length <= MAX_UNBROKEN) return escape(text);
  return text
    .split(/(?<=[./])(?![./])|(?<=[\p{L}\p{N}]_)(?=[\p{L}\p{N}])|(?<=\p{Ll})(?=\p{Lu})/u)
    .map(escape)
    .join('<wbr>');
}
