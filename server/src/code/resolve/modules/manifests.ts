/** The manifests of the project: their texts by path. A new object for each change of one; rules of languages read their own and keep what they read by it. */
export class Manifests {
  constructor(readonly texts: ReadonlyMap<string, string>) {}
}
