/** The tables of law.cjs. */
export interface Law {
  readonly rooms: Readonly<Record<string, readonly string[]>>;
  readonly nodeRooms: readonly string[];
  readonly libraries: Readonly<Record<string, readonly string[]>>;
}

export interface Import {
  readonly from: string;
  readonly to: string;
  /** Whether `to` is a module of Node. */
  readonly core: boolean;
  /** Name of the package, or ''. */
  readonly library: string;
}

export function roomOf(rooms: Law['rooms'], path: string): string | undefined;
export function roomViolations(law: Law, imports: readonly Import[]): string[];
