/**
 * A short part of `script` for which `fails` is true: leaves out ever smaller pieces as long as the rest still fails (delta debugging, Zeller and Hildebrandt 2002).
 * What fails by chance is tried twice before a piece is thought necessary; at most `maxTries` parts are tried.
 */
export async function shortest<T>(script: readonly T[], fails: (part: readonly T[]) => Promise<boolean>, maxTries = 40): Promise<readonly T[]> {
  let kept = script;
  let tries = 0;
  for (let size = Math.ceil(kept.length / 2); size >= 1; size = size === 1 ? 0 : Math.ceil(size / 2)) {
    for (let at = 0; at < kept.length && tries < maxTries; ) {
      const part = [...kept.slice(0, at), ...kept.slice(at + size)];
      tries += 2;
      if (part.length > 0 && ((await fails(part)) || (await fails(part)))) kept = part;
      else at += size;
    }
  }
  return kept;
}
