export function typeHeavy(files: number, depth: number): Map<string, string>;
