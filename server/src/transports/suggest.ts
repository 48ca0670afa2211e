/** Number of single-character edits between two words (Levenshtein, two rows). */
function distance(a: string, b: string): number {
  let previous = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const current = [i];
    for (let j = 1; j <= b.length; j++) {
      const substituted = (previous[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      current.push(Math.min(substituted, (previous[j] ?? 0) + 1, (current[j - 1] ?? 0) + 1));
    }
    previous = current;
  }
  return previous[b.length] ?? 0;
}

/** The word the user most likely meant, or `undefined` when none is near. A prefix counts as near. */
export function nearest(word: string, known: readonly string[]): string | undefined {
  const lower = word.toLowerCase();
  let best: { readonly word: string; readonly edits: number } | undefined;
  for (const candidate of known) {
    const edits = lower.length >= 2 && candidate.startsWith(lower) ? 1 : distance(lower, candidate.toLowerCase());
    if (edits <= Math.max(1, Math.floor(candidate.length / 3)) && (best === undefined || edits < best.edits)) best = { word: candidate, edits };
  }
  return best?.word;
}
