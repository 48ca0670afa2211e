/** Everything the page of the graph panel needs to be loaded. */
export interface PanelHtmlParts {
  /** Once only, unguessable. */
  readonly nonce: string;
  /** Where the editor serves the extension's files from, as a source of the policy. */
  readonly source: string;
  readonly script: string;
  readonly controls: string;
  readonly style: string;
}

/**
 * The page: no script and no style but ours, nothing from elsewhere. The layout worker is started from a blob.
 * The library of controls takes the nonce for its own style element from `csp-nonce`.
 * Cytoscape would add a style element of its own at start; where one with its id stands already it does not, and our style sheet says the same.
 */
export function panelHtml({ nonce, source, script, controls, style }: PanelHtmlParts): string {
  const policy = [
    "default-src 'none'",
    `script-src 'nonce-${nonce}'`,
    `style-src ${source} 'nonce-${nonce}'`,
    `img-src ${source} data: blob:`,
    `font-src ${source}`,
    'worker-src blob:',
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');
  return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta property="csp-nonce" content="${nonce}">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<title>Lattice Graph</title>
<link rel="stylesheet" href="${style}" nonce="${nonce}">
<style id="__________cytoscape_stylesheet" nonce="${nonce}"></style>
</head>
<body data-surface="graph">
<div id="app"></div>
<script src="${controls}" nonce="${nonce}"></script>
<script src="${script}" nonce="${nonce}"></script>
</body>
</html>
`;
}
