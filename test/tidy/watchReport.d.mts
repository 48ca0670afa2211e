import type { Plugin } from 'esbuild';

export function watchReport(write?: (line: string) => void): Plugin;
