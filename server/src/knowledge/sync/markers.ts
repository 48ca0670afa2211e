/** What git leaves in a file that it could not merge. A bare row of `=` is also a heading of Markdown and does not count by itself. */
const MARKER = /^(?:<{7}|\|{7}|>{7})(?:[ \t].*)?$/;

export function hasConflictMarker(text: string): boolean {
  return conflictMarkerLine(text) !== undefined;
}

/** 1-based line of the first marker. */
export function conflictMarkerLine(text: string): number | undefined {
  if (!/^(?:<{7}|\|{7}|>{7})/m.test(text)) return undefined;
  const at = text.split(/\r\n?|\n/).findIndex(line => MARKER.test(line));
  return at < 0 ? undefined : at + 1;
}
