import { afterEach, expect, test, vi } from 'vitest';
import { element, replaceChildren, withBreaks } from '../../../webview/src/ui/dom';

afterEach(() => vi.unstubAllGlobals());

/** As much of an element of the browser as is asked of it. */
class Made {
  textContent = '';
  readonly attributes: Record<string, string> = {};
  readonly children: unknown[] = [];

  setAttribute(name: string, value: string): void {
    this.attributes[name] = value;
  }

  append(...children: readonly unknown[]): void {
    this.children.push(...children);
  }

  replaceChildren(...children: readonly unknown[]): void {
    this.children.splice(0, this.children.length, ...children);
  }
}

test('no name reverses or hides the text of a page', () => {
  vi.stubGlobal('document', { createElement: () => new Made() });
  const evil = 'pay\u202Ext.\u001B[31m\nfree';
  const shown = 'pay\\u{202e}xt.\\u{1b}[31m\nfree';
  const made = element('span', { text: evil, title: evil, 'aria-label': evil, 'data-id': evil }, evil) as unknown as Made;
  expect(made).toMatchObject({ textContent: shown, children: [shown], attributes: { title: shown, 'aria-label': shown, 'data-id': evil } });
  replaceChildren(made as unknown as Element, evil);
  expect(made.children).toEqual([shown]);
});

test('names are broken between words only', () => {
  vi.stubGlobal('document', { createElement: () => '|' });
  const broken = (name: string): string => withBreaks(name).map(String).join('');
  expect(['Flask.__call__', 'wsgi_app', 'src/my-app.ts', 'parseHTMLText', '_private_'].map(broken)).toEqual([
    'Flask.|__call__',
    'wsgi_|app',
    'src/|my-|app.|ts',
    'parse|HTMLText',
    '_private_',
  ]);
});
