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

export const hoverAnswer = z.object({ lines: z.array(z.string()) }).nullable();
export const symbolAtAnswer = z.object({ id: z.string(), name: z.string() }).nullable();
export const symbolsAnswer = z.object({ symbols: z.array(symbolRow) });
export const itemAnswer = z.object({ item: symbolRow }).nullable();
export const callsAnswer = z.object({ calls: z.array(z.object({ item: symbolRow, lines: z.array(z.number()), confidence: z.number() })) });

/** Parameters of the custom requests, as clients send them. */
export const callToolParams = z.object({ name: z.string(), input: z.record(z.string(), z.unknown()), uri: z.string().optional() });
export const queryParams = z.object({ feature: z.string(), params: z.unknown(), uri: z.string().optional() });
export const symbolAtParams = z.object({ uri: z.string(), line: z.number().int().min(0), character: z.number().int().min(0) });
export const languagesParams = z.object({ languages: z.array(z.string()) });
