import { confidenceOf, sourceCode } from '../../../model/evidence';
import { relationCode } from '../../../model/relations';
import type { SiteContext } from './siteContext';

/** Calls that a framework makes for functions of the file; they stand at the name of the function, where nothing else is referred to. */
export function writeInjected({ ev, file, writer }: SiteContext): void {
  const { symbols } = file.facts;
  for (const { from, node } of ev.hooks(file).injected?.(ev, file) ?? []) {
    const candidate = { node, confidence: confidenceOf('scope'), source: sourceCode.scope };
    writer.add(relationCode.CALLS, file.symbolNodes[from] ?? file.fileNode, symbols.nameLine[from] ?? 0, symbols.nameColumn[from] ?? 0, 0, [candidate]);
  }
}
