export function removeFolder(folder: string): void;
