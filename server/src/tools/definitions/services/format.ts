import { z } from 'zod';
import { PROFILES, type Profile } from '../../envelope';
import { PAGE_TOKENS } from '../../shaping';

/** How much the tools about services tell: `verbose` lists everything, whatever the profile. */
export const serviceFormat = {
  output_format: z.enum(['compact', 'verbose']).default('compact').describe('verbose: everything, and as JSON'),
};

export function serviceBudget(profile: Profile, { output_format }: { readonly output_format: 'compact' | 'verbose' }): number {
  return output_format === 'verbose' ? PAGE_TOKENS : PROFILES[profile];
}

/** The rendering of an answer, or the answer itself. */
export function rendered(
  data: Readonly<Record<string, unknown>>,
  { output_format }: { readonly output_format: 'compact' | 'verbose' },
  lines: () => readonly string[],
): string {
  return output_format === 'verbose' ? JSON.stringify(data) : lines().join('\n');
}
