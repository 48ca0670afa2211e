import { createHash } from 'node:crypto';

/** What the page is made of. `script` and `style` are the webview bundle's. */
export interface ReportParts {
  /** Shape `ReportData` of the protocol. */
  readonly data: unknown;
  readonly title: string;
  readonly script: string;
  readonly style: string;
}

/**
 * One HTML file that needs nothing else: style, script and data are inside, and its content security policy lets it load nothing and run
 * no script but its own.
 * The data is JSON in which no character can end the element that holds it.
 */
export function renderReportHtml({ data, title, script, style }: ReportParts): string {
  // A browser reads line ends as \n, and the hash is of what it reads.
  const own = escapeScript(script).replace(/\r\n?/g, '\n');
  const hash = createHash('sha256').update(own).digest('base64');
  return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; script-src 'sha256-${hash}'; style-src 'unsafe-inline'; img-src data:; font-src data:; base-uri 'none'; form-action 'none'">
<title>${escapeHtml(title)}</title>
<style>${escapeStyle(style)}</style>
</head>
<body data-surface="report">
<div id="app"></div>
<script type="application/json" id="lattice-report">${escapeJson(data)}</script>
<script>${own}</script>
</body>
</html>
`;
}

/** JSON for a script element: `<`, `>`, `&` and the two line separators as escapes. */
export function escapeJson(value: unknown): string {
  return (JSON.stringify(value) ?? 'null').replace(/[<>&\u2028\u2029]/g, character => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** Keeps a script from ending its element or from opening a comment; valid inside strings, templates and regular expressions, where alone a bundler leaves these. */
export function escapeScript(script: string): string {
  return script.replace(/<(?=\/script|!--)/gi, '\\x3C');
}

function escapeStyle(style: string): string {
  return style.replace(/<\/(?=style)/gi, '<\\/');
}

export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, character => `&#${character.charCodeAt(0)};`);
}
