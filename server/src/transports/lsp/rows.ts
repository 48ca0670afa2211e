import { z } from 'zod';

/** Shapes of the answers of features that the language server asks, checked because they may come from an owner of another version. */
export const symbolRow = z.object({
  id: z.string(),
  name: z.string(),
  kind: z.string(),
  path: z.string(),
  startLine: z.number(),
  endLine: z.number(),
  nameLine: z.number(),
  nameColumn: z.number(),
  container: z.string().optional(),
  signature: z.string().optional(),
});
export type SymbolRow = z.infer<typeof symbolRow>;

export const hoverAnswer = z
  .object({
    lines: z.array(z.string()),
    id: z.string().optional(),
    name: z.string().optional(),
    atoms: z.array(z.object({ id: z.string(), line: z.string() })).optional(),
    path: z.string().optional(),
  })
  .nullable();
export type HoverAnswer = NonNullable<z.infer<typeof hoverAnswer>>;
export const symbolAtAnswer = z.object({ id: z.string(), name: z.string() }).nullable();
export const symbolsAnswer = z.object({ symbols: z.array(symbolRow) });
export const itemAnswer = z.object({ item: symbolRow.nullable() }).nullable();
const hierarchyRow = z.object({ item: symbolRow, lines: z.array(z.number()), confidence: z.number() });
export type HierarchyRow = z.infer<typeof hierarchyRow>;
export const callsAnswer = z.object({ calls: z.array(hierarchyRow) }).transform(answer => answer.calls);
export const typesAnswer = z.object({ types: z.array(hierarchyRow) }).transform(answer => answer.types);
export const nodesAnswer = z.object({ nodes: z.array(symbolRow) });
const lensCounts = z.object({
  item: symbolRow,
  callers: z.number(),
  maybe: z.number(),
  tests: z.number(),
  blastRadius: z.number(),
  risk: z.string(),
  isType: z.boolean(),
});
export type LensCounts = z.infer<typeof lensCounts>;
export const lensCountsAnswer = lensCounts.nullable();

/** Parameters of the custom requests, as clients send them. */
export const callToolParams = z.object({ name: z.string(), input: z.record(z.string(), z.unknown()), uri: z.string().optional() });
export const queryParams = z.object({ feature: z.string(), params: z.unknown(), uri: z.string().optional() });
export const symbolAtParams = z.object({ uri: z.string(), line: z.number().int().min(0), character: z.number().int().min(0) });
export const languagesParams = z.object({ calls: z.array(z.string()), types: z.array(z.string()) });
