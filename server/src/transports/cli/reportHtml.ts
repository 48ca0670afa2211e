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
  const json = `<script type="application/json" id="lattice-report">${escapeJson(data)}</script>\n`;
  return renderPageHtml({ title, scripts: [script], style, attributes: 'data-surface="report"', before: json });
}

export interface PageParts {
  readonly title: string;
  /** In the order in which they run. */
  readonly scripts: readonly string[];
  readonly style: string;
  /** Of the body. */
  readonly attributes: string;
  /** Lets the page start a worker from text of its own. */
  readonly hasWorker?: boolean;
  /** Markup before the scripts. */
  readonly before?: string;
}

/** One HTML file that loads nothing and runs no script but its own. */
export function renderPageHtml({ title, scripts, style, attributes, hasWorker = false, before = '' }: PageParts): string {
  // A browser reads line ends as \n, and the hash is of what it reads.
  const own = scripts.map(script => escapeScript(script).replace(/\r\n?/g, '\n'));
  const hashes = own.map(script => `'sha256-${createHash('sha256').update(script).digest('base64')}'`).join(' ');
  return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; script-src ${hashes}; style-src 'unsafe-inline'; img-src data:; font-src data:;${hasWorker ? ' worker-src blob:;' : ''} base-uri 'none'; form-action 'none'">
<title>${escapeHtml(title)}</title>
<style>${escapeStyle(style)}</style>
</head>
<body ${attributes}>
<div id="app"></div>
${before}${own.map(script => `<script>${script}</script>`).join('\n')}
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
