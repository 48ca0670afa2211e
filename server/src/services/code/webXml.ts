/** Servlets that `web.xml` deploys: the descriptor of a web application in Java. */
import type { WorkspacePath } from '../../base/path';

export interface DeployedServlet {
  readonly file: WorkspacePath;
  /** 1-based, of the first pattern. */
  readonly line: number;
  /** Folder of the module that is deployed, with a slash at its end unless it is the workspace. */
  readonly module: string;
  /** With its package. */
  readonly className: string;
  /** Patterns as they are written: `/orders`, `/orders/*`, `*.do`. */
  readonly patterns: readonly string[];
}

const MAX_SERVLETS = 500;
const ELEMENT = /<servlet(?<mapping>-mapping)?>(?<body>[\s\S]*?)<\/servlet(?:-mapping)?>/g;

export function readWebXml(path: WorkspacePath, text: string): readonly DeployedServlet[] {
  const plain = text.replace(/<!--[\s\S]*?-->/g, comment => comment.replace(/[^\n]/g, ' '));
  const classes = new Map<string, string>();
  const patterns = new Map<string, { readonly line: number; readonly patterns: string[] }>();
  for (const { groups, index } of [...plain.matchAll(ELEMENT)].slice(0, MAX_SERVLETS)) {
    const { body = '', mapping } = groups ?? {};
    const [name = ''] = valuesOf(body, 'servlet-name');
    const [className] = valuesOf(body, 'servlet-class');
    // A servlet without a class is the application of JAX-RS that is called so.
    if (mapping === undefined) classes.set(name, className ?? name);
    else {
      const known = patterns.get(name) ?? { line: plain.slice(0, index).split('\n').length, patterns: [] };
      known.patterns.push(...valuesOf(body, 'url-pattern'));
      patterns.set(name, known);
    }
  }
  const module = path.replace(/(?:(?:src\/main\/)?webapp\/|(?:web|WebContent|public)\/)?WEB-INF\/web\.xml$/, '');
  return [...patterns].map(([name, mapped]) => ({ file: path, module, className: classes.get(name) ?? name, ...mapped }));
}

function valuesOf(body: string, tag: string): string[] {
  return [...body.matchAll(new RegExp(`<${tag}>\\s*([^<]*?)\\s*</${tag}>`, 'g'))].map(match => match[1] ?? '');
}
