import type { Plugin } from 'esbuild';

export function resolverVersion(root: string, entry: string): Plugin;
