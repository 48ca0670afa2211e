declare const LATTICE_VERSION: string;

/** Version of the package, put in by the build. */
export const version: string = LATTICE_VERSION;
