/** Commands of the VS Code client that code actions on architecture violations run; each takes an `ArchitectureTarget`. */
export const ARCHITECTURE_COMMANDS = {
  accept: 'lattice.architecture.acceptViolation',
  except: 'lattice.architecture.addException',
  goToRule: 'lattice.architecture.goToRule',
} as const;

/** A violation, as it travels with its diagnostic. */
export interface ArchitectureTarget {
  /** URI of the workspace folder. */
  readonly folder: string;
  readonly rule: string;
  readonly from: string;
  /** Workspace path of the file that the violation is in. */
  readonly file: string;
  readonly to: string;
  readonly edge: string;
  readonly members?: readonly string[];
  /** Workspace path of the rule file, `builtin` where there is none. */
  readonly rulesSource: string;
  /** 1-based, 0 where no line of it says the rule. */
  readonly ruleLine: number;
}
