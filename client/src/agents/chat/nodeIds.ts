/** Longer texts are prose or source, not IDs. */
const MAX_ID_LENGTH = 400;

/**
 * Texts of an answer that may be IDs of nodes, each once, in order of appearance. Which of them are is up to the graph (`nodesById` leaves out the
 * others), since each tool has an answer of its own and names nodes in other fields. Words are left out, so that a file called like a kind or a
 * relation is not taken for it: IDs have an extension, a folder or a container.
 */
export function possibleIdsIn(data: unknown, found = new Set<string>()): ReadonlySet<string> {
  if (typeof data === 'string') {
    if (data.length <= MAX_ID_LENGTH && !data.includes('\n') && /[./]|::/.test(data)) found.add(data);
  } else if (Array.isArray(data)) for (const item of data) possibleIdsIn(item, found);
  else if (typeof data === 'object' && data !== null) for (const item of Object.values(data)) possibleIdsIn(item, found);
  return found;
}
