import { z } from 'zod';

/** Parameters of the custom requests, as clients send them. */
export const callToolParams = z.object({ name: z.string(), input: z.record(z.string(), z.unknown()), uri: z.string().optional() });
export const queryParams = z.object({ feature: z.string(), params: z.unknown(), uri: z.string().optional() });
export const diffMarkdownParams = z.object({ uri: z.string().optional(), from: z.string().optional() });
export const symbolAtParams = z.object({ uri: z.string(), line: z.number().int().min(0), character: z.number().int().min(0) });
const languages = z.array(z.string());
export const languagesParams = z.object({ calls: languages, types: languages, symbols: languages, hovers: languages });
