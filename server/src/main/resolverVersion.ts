/** What a build resolves references with; the build puts a hash of that code here. */
export const RESOLVER_VERSION: string = 'unbuilt';
